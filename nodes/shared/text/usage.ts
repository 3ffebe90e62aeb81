import type { IDataObject } from 'n8n-workflow';

/** In tokens, as they are billed: thoughts as output, what tools bring into the prompt as input. */
export interface TokenCount {
	input: number;
	output: number;
	/** As the service sums them up, else both together. */
	total: number;
}

/** Reads `usageMetadata`; what is no count is none. */
export function countUsage(usage: IDataObject): TokenCount {
	const input = toCount(usage.promptTokenCount) + toCount(usage.toolUsePromptTokenCount);
	const output = toCount(usage.candidatesTokenCount) + toCount(usage.thoughtsTokenCount);
	return { input, output, total: toCount(usage.totalTokenCount) || input + output };
}

const toCount = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
