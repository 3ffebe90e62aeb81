'use strict';

const { describe, isKeyRefused, isPassing } = require('./answer');

// A verdict is what was seen of a row, and what follows from it.

/** @typedef {{ verdict: 'kept' | 'differs' | 'not tested', seen: string }} Verdict */

const verdict = (name) => (seen) => ({ verdict: name, seen });
const kept = verdict('kept');
const differs = verdict('differs');
const notTested = verdict('not tested');

/**
 * A judge that is asked about answers only: none at all is a difference, a busy service is none.
 * @param {(answer: object, answers: object) => Verdict | boolean} judge true: as the row says
 */
const of = (name, judge) => (answers) => {
	const answer = answers[name];
	if (answer === undefined || answer.unsent) return notTested(answer?.trouble ?? 'not asked for');
	if (answer.trouble) return differs(answer.trouble);
	if (isPassing(answer)) return notTested(`${describe(answer)}; try again later`);
	const judged = judge(answer, answers);
	if (typeof judged !== 'boolean') return judged;
	return judged ? kept(describe(answer)) : differs(describe(answer));
};

/** The same for what is behind a key: where the key is refused, nothing else can be told. */
const behindKey = (name, judge) =>
	of(name, (answer, answers) =>
		isKeyRefused(answer)
			? notTested(`${describe(answer)}: the key is refused`)
			: judge(answer, answers),
	);

module.exports = { behindKey, differs, kept, notTested, of };
