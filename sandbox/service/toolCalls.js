'use strict';

// A model that calls tools, as a plan says: `calls` holds a list of turns, and each turn the calls of
// that turn. Which turn it is stands in the request, so nothing has to be counted.

const SIGNATURE = 'c2lnbmVkIGJ5IHRoZSBzYW5kYm94';
const TOLD = /^told:(\w+)(?::(-?\d+))?$/;

const partsOf = (contents, name) =>
	contents.flatMap(({ parts }) => parts.map((part) => part[name])).filter(Boolean);

/** Every value that stands under a name, however deep, also in JSON inside of texts. */
function* valuesOf(name, source) {
	if (typeof source === 'string' && /^\s*[[{]/.test(source)) {
		try {
			yield* valuesOf(name, JSON.parse(source));
		} catch {
			// A text that only begins like JSON holds no values.
		}
	}
	if (typeof source !== 'object' || source === null) return;
	for (const [key, value] of Object.entries(source)) {
		if (key === name) yield value;
		else yield* valuesOf(name, value);
	}
}

/**
 * `told:task_id` is the last one that a tool has told of, `told:task_id:0` the first one; if no tool was
 * called since the person's words, of the turns before.
 */
function fillIn(args, contents) {
	const since = partsOf(sinceAsked(contents), 'functionResponse');
	const answers = since.length > 0 ? since : partsOf(contents, 'functionResponse');
	return Object.fromEntries(
		Object.entries(args).map(([key, value]) => {
			const [, name, index = '-1'] = TOLD.exec(value) ?? [];
			if (name === undefined) return [key, value];
			return [key, [...new Set(valuesOf(name, answers))].at(Number(index))];
		}),
	);
}

/** What came after the last words of the person. */
const sinceAsked = (contents) =>
	contents.slice(
		contents.findLastIndex(
			({ role = 'user', parts }) => role === 'user' && parts.some(({ text }) => text),
		) + 1,
	);

/**
 * The turn that is due is told by how many calls were made: some clients send back the calls of one
 * turn one by one.
 * @returns the parts of that turn; none where the model has only words left
 */
function callsDue({ plan, contents }) {
	const since = sinceAsked(contents);
	const made = partsOf(since, 'functionCall').length;
	let left = made;
	const turn = (plan.calls ?? []).find((calls) => (left -= calls.length) < 0) ?? [];
	return turn.map(({ name, args = {} }, index) => ({
		functionCall: {
			...(plan.signed && { id: `call-${made + index}` }),
			...{ name, args: fillIn(args, contents) },
		},
		// Of calls that are made at once, the vendor signs the first.
		...(plan.signed && index === 0 && { thoughtSignature: SIGNATURE }),
	}));
}

/** Models that sign their calls refuse a turn that comes back without. */
const lacksSignature = ({ contents }) =>
	contents.some(({ parts }) => {
		const [first] = parts.filter(({ functionCall }) => functionCall);
		return first !== undefined && first.thoughtSignature !== SIGNATURE;
	});

module.exports = { callsDue, lacksSignature, partsOf, sinceAsked, valuesOf };
