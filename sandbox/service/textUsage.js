'use strict';

// Tokens, counted plausibly and the same every time.

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_ATTACHMENT = 258;

const tokensIn = (text) => Math.ceil(Array.from(text).length / CHARACTERS_PER_TOKEN);

/** Tokens of the prompt and of what has been said so far. */
function usage({ plan, promptText, attachments }, { text, thought }) {
	if (plan.nullUsage) {
		return { promptTokenCount: null, candidatesTokenCount: 0, totalTokenCount: null };
	}
	const prompt = tokensIn(promptText) + attachments.length * TOKENS_PER_ATTACHMENT;
	const candidates = tokensIn(text);
	const thoughts = tokensIn(thought);
	return {
		promptTokenCount: prompt,
		candidatesTokenCount: candidates,
		totalTokenCount: prompt + candidates + thoughts,
		...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
		promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
	};
}

module.exports = { CHARACTERS_PER_TOKEN, tokensIn, usage };
