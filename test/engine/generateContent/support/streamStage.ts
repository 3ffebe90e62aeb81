import type { StructuredChunk } from 'n8n-workflow';

import type { Plan } from '../../../../sandbox/service';
import type { RunResult } from '../../../support/engine';
import { STREAMING, useTextStage, type TextRun, type TextStage } from './stage';

interface StreamStage extends TextStage {
	/** As `ask`, where somebody listens. */
	listen: (plan: Plan, more?: TextRun) => Promise<RunResult>;
	/** Which of the two endpoints each request went to. */
	actions: () => Array<string | undefined>;
}

/** Generate Content that streams. */
export function useStreamStage(): StreamStage {
	const text = useTextStage();
	return {
		...text,
		listen: async (plan, more = {}) => await text.ask(plan, { ...STREAMING, ...more }),
		actions: () => text.asked().map(({ path }) => path.split(':').at(-1)),
	};
}

/** The words that went out for an item. */
export const wordsOf = (chunks: StructuredChunk[], itemIndex = 0) =>
	chunks
		.filter(({ type, metadata }) => type === 'item' && metadata.itemIndex === itemIndex)
		.map(({ content }) => content)
		.join('');

/** Such as `begin item end`. */
export const orderOf = (chunks: StructuredChunk[]) =>
	chunks
		.map(({ type }) => type)
		.join(' ')
		.replace(/item( item)+/g, 'item');
