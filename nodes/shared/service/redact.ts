const SHOWN_INSTEAD = '[API key]';
/** Shorter ones are typing mistakes, and blanking them out would tear ordinary words apart. */
const MIN_KEY_CHARS = 6;

export interface Redaction {
	/** A whole text without the key. */
	redact: (text: string) => string;
	/** The same for a text that comes in pieces, between two of which the key may be cut. */
	redactPieces: () => PieceRedaction;
}

export interface PieceRedaction {
	/** The text that may be shown by now; the start of what may become the key is held back. */
	add: (piece: string) => string;
	/** What was held back. */
	end: () => string;
}

/** People copy it with the word that stands before the key in a header. */
const TYPED_SCHEME = /^Bearer\s+/i;

/** Blanks the key out, as it is and as it stands in an address: some deployments quote it. */
export function createRedaction(typed: string): Redaction {
	const key = typed.trim().replace(TYPED_SCHEME, '');
	const forms = key.length < MIN_KEY_CHARS ? [] : [key, encodeURIComponent(key)];
	const redact = (text: string) =>
		forms.reduce((shown, form) => shown.split(form).join(SHOWN_INSTEAD), text);
	return { redact, redactPieces: () => createPieces(forms, redact) };
}

function createPieces(forms: string[], redact: Redaction['redact']): PieceRedaction {
	let held = '';
	return {
		add: (piece) => {
			const text = redact(held + piece);
			const safe = text.length - Math.max(0, ...forms.map((form) => startAtEnd(text, form)));
			held = text.slice(safe);
			return text.slice(0, safe);
		},
		end: () => {
			const rest = held;
			held = '';
			return rest;
		},
	};
}

/** How many characters at the end of `text` are the beginning of `form`. */
function startAtEnd(text: string, form: string): number {
	for (let length = Math.min(text.length, form.length - 1); length > 0; length--) {
		if (text.endsWith(form.slice(0, length))) return length;
	}
	return 0;
}
