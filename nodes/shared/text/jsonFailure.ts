import type { Failure } from '../item/failure';
import { sentences } from '../lib/text';
import { describeUsage } from './reasons';
import type { Candidate, TextAnswer } from './response';
import type { Break } from './schemaValues';

/** The JSON in an answer breaks the schema that was asked for. It is paid for, so its text is kept. */
export const toBrokenJsonFailure = (
	{ text, finishReason }: Candidate,
	{ usageMetadata }: TextAnswer,
	{ path, why }: Break,
): Failure => ({
	message: `The JSON in the answer breaks JSON Schema: ${path} ${why}`,
	fail_reason: finishReason,
	description: sentences(
		describeUsage(usageMetadata),
		'The whole answer is in the field text',
		'Run it again, or describe in the prompt or in JSON Schema what the model should do instead',
	),
	text,
	retryable: false,
	next: 'changeRequest',
	source: 'service',
});
