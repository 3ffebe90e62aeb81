import { toText } from '../lib/json';

const UNSPECIFIED = 'FINISH_REASON_UNSPECIFIED';

/** Words of deployments that translate from another protocol, each with the native word for it. */
const OTHER_SPELLINGS: Record<string, string> = {
	CONTENT_FILTER: 'SAFETY',
	END_TURN: 'STOP',
	FUNCTION_CALL: 'STOP',
	LENGTH: 'MAX_TOKENS',
	STOP_SEQUENCE: 'STOP',
	TOOL_CALLS: 'STOP',
	TOOL_USE: 'STOP',
};

/** Returns a reason in the native protocol's word. */
export const toNative = (reason: string) => {
	const word = reason.trim().toUpperCase();
	return OTHER_SPELLINGS[word] ?? word;
};

/** Returns a `finishReason` as it came; none becomes UNSPECIFIED. */
export const readReason = (reason: unknown): string => toText(reason) ?? UNSPECIFIED;

/** Returns whether a reason was given; UNSPECIFIED, also as some gateways write it, means none. */
export const isSpecified = (reason: string) => toNative(reason) !== UNSPECIFIED;

/** Returns whether the answer is complete: its reason is `STOP`, or none was given. */
export const isWhole = (reason: string) => toNative(reason) === 'STOP' || !isSpecified(reason);

/** Returns whether an answer and its calls may be used: it is complete or met its token limit. */
export const isUsable = (reason: string) => isWhole(reason) || toNative(reason) === 'MAX_TOKENS';

/** Returns the later reason unless it says less: some services write `STOP` even after a block. */
export function mergeReasons(earlier: unknown, later: unknown): unknown {
	const rank = (reason: string) =>
		[isSpecified(reason), !isWhole(reason), !isUsable(reason)].filter(Boolean).length;
	return rank(readReason(later)) < rank(readReason(earlier)) ? earlier : later;
}

/** Returns whether a `blockReason` means a block; some gateways write UNSPECIFIED for none. */
export const isBlock = (reason: string | undefined) =>
	reason !== undefined && !/UNSPECIFIED$/i.test(reason);
