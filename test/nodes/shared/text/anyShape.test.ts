import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { askText } from '../../../../nodes/shared/text/askText';
import { readAnswer } from '../../../../nodes/shared/text/response';
import { toSnakeCase } from '../../../../sandbox/service/textStream';
import { formNames, FORMS } from './support/streamForms';
import { runs } from '../../../support/runs';

// Whatever an answer looks like and wherever it is cut: the same answer, or none that passes for one.

const SAID = ['Grüße ', '"\\{[', '😀 data: \n', '[DONE] ', '\u2028}]'];
const chunk = (text: string, more: object = {}): IDataObject => ({
	candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
	usageMetadata: { promptTokenCount: 1, candidatesTokenCount: text.length },
	modelVersion: 'm-1',
});
const source = (n: number) => ({
	groundingMetadata: {
		groundingChunks: [{ web: { uri: `https://a.example/${n}`, title: `${n}` } }],
		groundingSupports: [{ segment: { text: SAID[n] }, groundingChunkIndices: [0] }],
	},
});

/** The same answer in chunks, with a reason in the last or in each. */
const chunksOf = (reasonInEach: boolean) => [
	{ candidates: [{ content: { parts: [{ text: 'Hm', thought: true }] } }] },
	...SAID.map((text, n) =>
		chunk(text, {
			...source(n),
			...((reasonInEach || n === SAID.length - 1) && { finishReason: 'STOP' }),
		}),
	),
];

const arbitrary = {
	form: fc.constantFrom(...formNames),
	reasonInEach: fc.boolean(),
	isSnake: fc.boolean(),
	isWhole: fc.boolean(),
	places: fc.array(fc.nat(), { maxLength: 20 }),
};
interface Shape {
	form: string;
	reasonInEach: boolean;
	isSnake: boolean;
	isWhole: boolean;
	places: number[];
}

const bytesOf = ({ form, reasonInEach, isSnake }: Shape) => {
	const chunks = chunksOf(reasonInEach);
	const spelled = isSnake ? (toSnakeCase(chunks) as IDataObject[]) : chunks;
	return Buffer.from(FORMS[form](spelled));
};

const { signal } = new AbortController();
const question = { model: 'm', body: { contents: [] }, timeoutMs: 60_000, signal };

/** Sends these bytes, cut into pieces at these places, and then breaks off where it is cut. */
async function read(bytes: Buffer, { isWhole, places }: Shape, isCut: boolean) {
	const body = new TextDecoder().decode(bytes);
	const broken = { network: 'unclear', code: 'ECONNRESET', message: 'Cut', begin: body } as const;
	const whole = { status: 200, headers: {}, body };
	const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
	ends.sort((a, b) => a - b);
	async function* pieces() {
		for (const [i, end] of ends.entries()) yield bytes.subarray(i === 0 ? 0 : ends[i - 1], end);
		if (isCut) throw Object.assign(new Error('Cut'), { code: 'ECONNRESET' });
	}
	const connection = {
		send: async () => (isCut ? broken : whole),
		open: async () => ({ status: 200, headers: {}, stream: pieces() as never }),
	};
	return await askText(connection, question, isWhole ? undefined : () => {});
}

const factsOf = (answer: IDataObject) => {
	const { candidate, modelVersion } = readAnswer(answer);
	return [candidate!].map(({ text, thoughts, finishReason, sources }) => ({
		...{ text, thoughts, finishReason, modelVersion },
		sources: sources.map(({ uri, supports }) => [uri, supports?.map(({ text }) => text)]),
	}));
};
const WHOLE = {
	text: SAID.join(''),
	thoughts: 'Hm',
	finishReason: 'STOP',
	modelVersion: 'm-1',
	sources: SAID.map((text, n) => [`https://a.example/${n}`, [text]]),
};

it('is the same answer in every form, however its bytes are cut', async () => {
	await fc.assert(
		fc.asyncProperty(fc.record(arbitrary), async (shape) => {
			const result = await read(bytesOf(shape), shape, false);
			expect('answer' in result && factsOf(result.answer)).toEqual([WHOLE]);
		}),
		{ numRuns: runs(300) },
	);
});

it('that breaks off anywhere is the whole answer or a failure that keeps what came', async () => {
	await fc.assert(
		fc.asyncProperty(fc.record(arbitrary), fc.nat(), async (shape, place) => {
			const bytes = bytesOf(shape);
			const length = place % (bytes.length + 1);
			const result = await read(bytes.subarray(0, length), shape, true);
			if ('answer' in result) {
				expect(factsOf(result.answer)).toMatchObject([{ text: WHOLE.text, finishReason: 'STOP' }]);
				return;
			}
			expect(result.certainty).toBe('unclear');
			const { text: kept = '' } = result;
			expect(WHOLE.text.startsWith(kept)).toBe(true);
			const came = bytes.subarray(0, length).toString();
			const wholeChunks = came.match(/"(usage_metadata|usageMetadata)"/g)?.length ?? 0;
			const least = SAID.slice(0, Math.max(0, wholeChunks - 1)).join('');
			expect(kept.length).toBeGreaterThanOrEqual(least.length);
		}),
		{ numRuns: runs(300) },
	);
});
