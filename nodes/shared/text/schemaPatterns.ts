const MAX_NAME_CHARS = 100;
const QUANTIFIERS = /[*+?{]/g;

/**
 * Whether names match a pattern; `undefined` where that is not looked at. Patterns come with schemas,
 * and some take forever for a name of a few dozen characters: a pattern is tried only if it has no
 * groups, and no more to be repeated than one part, or two behind `^`.
 */
export function createMatch(pattern: string): (name: string) => boolean | undefined {
	const repeated = pattern.match(QUANTIFIERS)?.length ?? 0;
	const isSimple = !pattern.includes('(') && repeated <= (pattern.startsWith('^') ? 2 : 1);
	const expression = isSimple ? parse(pattern) : undefined;
	return (name) => (name.length > MAX_NAME_CHARS ? undefined : expression?.test(name));
}

function parse(pattern: string): RegExp | undefined {
	try {
		return new RegExp(pattern, 'u');
	} catch {
		return undefined;
	}
}
