import { randomUUID } from 'node:crypto';

/** A Gemini 3 model refuses its own call without the signature; a run has few, and keeps them. */
const MAX_SIGNATURES = 1000;
const signatures = new Map<string, string>();

/**
 * Ids for the calls of one answer: the protocol's are not passed on by gateways. Which calls belong
 * together can be told from them. At most 40 characters: vendors that may go on with the same
 * conversation take no longer ones.
 */
export function createCallIds(): (index: number) => string {
	const answer = randomUUID().replace(/-/g, '').slice(0, 24);
	return (index) => `call_${answer}_${index}`;
}

/** The answer that a call came with; `undefined` for a call of another model. */
export const answerOf = (callId: string) => /^call_([0-9a-f]{24})_\d+$/.exec(callId)?.[1];

/**
 * Keeps what the model wants back with its call. n8n's SDK hands nothing on but id, name and
 * arguments, so it stays in the memory of the process, in which an agent runs from its first call to
 * its answer.
 */
export function keepSignature(callId: string, signature: string): void {
	signatures.set(callId, signature);
	const [oldest] = signatures.keys();
	if (signatures.size > MAX_SIGNATURES) signatures.delete(oldest);
}

export const signatureOf = (callId: string) => signatures.get(callId);
