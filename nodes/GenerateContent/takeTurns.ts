/** Of all who wait together, in UTF-16 units; who waits beyond it says all at its end. */
const MAX_HELD_CHARS = 4 * 1024 * 1024;

/** Speaks piece by piece, and ends. It never throws. */
export interface Voice<Ending> {
	say: (words: string) => Promise<void>;
	end: (ending: Ending, wasMuted: boolean) => Promise<void>;
}

interface Place<Ending> {
	voice: Voice<Ending>;
	/** Said while others had their turn. */
	held: string;
	/** Has said more than could be held. */
	isMuted: boolean;
	ending?: { value: Ending };
}

/**
 * Lets voices speak one after the other, in their order. What is said before it is one's turn is
 * held, and said at once when the turn comes; nobody is made to wait for it. Each voice must end.
 *
 * @returns the same voices, each in its turn
 */
export function takeTurns<Ending>(
	voices: Array<Voice<Ending>>,
	maxHeldChars = MAX_HELD_CHARS,
): Array<{ say: Voice<Ending>['say']; end: (ending: Ending) => Promise<void> }> {
	const places = voices.map((voice): Place<Ending> => ({
		voice,
		held: '',
		isMuted: false,
		ending: undefined,
	}));
	let current = 0;
	let heldChars = 0;
	let last: Promise<void> = Promise.resolve();

	const takeHeld = (place: Place<Ending>) => {
		const { held } = place;
		heldChars -= held.length;
		place.held = '';
		return held;
	};
	/** All that may be said by now. */
	const speak = async () => {
		for (let place = places[current]; place; place = places[current]) {
			if (place.held !== '') await place.voice.say(takeHeld(place));
			else if (place.ending) {
				await place.voice.end(place.ending.value, place.isMuted);
				current++;
			} else return;
		}
	};
	const speakIfInTurn = async (place: Place<Ending>) => {
		if (place === places[current]) await (last = last.then(speak));
	};

	return places.map((place) => ({
		say: async (words) => {
			if (place.isMuted || place.ending) return;
			place.held += words;
			heldChars += words.length;
			if (heldChars > maxHeldChars && place !== places[current]) {
				takeHeld(place);
				place.isMuted = true;
			}
			await speakIfInTurn(place);
		},
		end: async (value) => {
			place.ending ??= { value };
			await speakIfInTurn(place);
		},
	}));
}
