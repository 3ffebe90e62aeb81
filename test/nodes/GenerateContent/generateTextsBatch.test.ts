import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { generateTexts } from '../../../nodes/GenerateContent/generateTexts';
import { answerOf, makeContext, type Answer, type Setting } from './support/textContext';

const GOOD: Answer = { json: answerOf({ text: '{"colour":"blue"}' }) };
const BLOCKED: Answer = { json: { promptFeedback: { blockReason: 'SAFETY' } } };

/** One item after the other: the first request has the only place until its item has ended. */
const inTurn = (...rows: IDataObject[]): IDataObject[] =>
	rows.map((row) => ({ ...row, options: { concurrency: 1 } }));

const fileOf = (id: string): INodeExecutionData['binary'] => ({
	data: { id, data: 'filesystem', mimeType: 'audio/mpeg' },
});

describe('the first failing item', () => {
	const rows: Array<[string, Setting & { first: Answer }, string]> = [
		['is blocked', { first: BLOCKED }, 'The prompt was blocked because the safety filter'],
		[
			'is no JSON, where JSON was asked for',
			{ first: { json: answerOf({ text: 'Blue' }) }, parameters: { jsonOutput: true } },
			'The JSON in the answer is cut off',
		],
		[
			'is refused',
			{ first: { status: 401, json: {} } },
			'No text was generated: the service refuses',
		],
		['is lost', { first: { status: 500, json: {} } }, 'The prompt got no complete answer'],
		[
			'makes a file that n8n does not store',
			{ first: { json: answerOf({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }) } },
			'The answer came, but could not be made into an item: the disk is full',
		],
	];
	const settings = rows.map(([what, { first, parameters }, message]) => {
		const [row, ...others] = ['first', 'second', 'third'].map((prompt) => ({
			...parameters,
			prompt,
		}));
		const { context, asked } = makeContext({
			parameters: inTurn(row, ...others),
			service: (prompt) => (prompt === 'first' ? first : GOOD),
		});
		context.helpers.prepareBinaryData = async () =>
			await Promise.reject(new Error('The disk is full'));
		return { what, context, asked, message };
	});

	it.each(settings)('that $what lets nothing new be sent', async ({ context, asked, message }) => {
		await expect(generateTexts(context)).rejects.toMatchObject({
			message: expect.stringMatching(new RegExp(`^${message}.* \\[item 0\\]$`)),
		});
		expect(asked).toEqual(['first']);
	});

	it('that has a file which cannot be sent lets nothing be sent, also as the last one', async () => {
		const { context, asked } = makeContext({
			parameters: inTurn({ prompt: 'first' }, { images: 'data' }),
			binary: { data: { data: '', mimeType: 'text/plain' } },
			service: () => GOOD,
		});
		await expect(generateTexts(context)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: 'The binary field "data" (Input Binary Fields) is empty [item 1]',
		});
		expect(asked).toEqual([]);
	});

	it('ends nothing where the node goes on', async () => {
		const { context, asked } = makeContext({
			parameters: inTurn({ prompt: 'first' }, { prompt: 'second' }),
			service: (prompt) => (prompt === 'first' ? BLOCKED : GOOD),
			more: { continueOnFail: () => true },
		});
		const items = await generateTexts(context);
		expect(items.map(({ json }) => Object.keys(json)[0])).toEqual(['error', 'text']);
		expect(asked).toEqual(['first', 'second']);
	});
});

it('a file is opened for its check and for each try, and given up in between', async () => {
	let opens = 0;
	const { context, asked } = makeContext({
		parameters: { images: 'data' },
		binary: fileOf('filesystem:1'),
		service: () =>
			asked.length < 3 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : GOOD,
	});
	context.helpers.getBinaryMetadata = async () => ({ fileSize: 3 });
	context.helpers.getBinaryStream = (async () => {
		opens++;
		return [Buffer.from('abc')];
	}) as never;
	expect(await generateTexts(context)).toHaveLength(1);
	expect([asked.length, opens]).toEqual([3, 4]);
});

it('a request that Stop cuts off has no result, and those so far stay', async () => {
	const stop = new AbortController();
	const { context } = makeContext({
		parameters: [{ prompt: 'quick' }, { prompt: 'slow' }, { prompt: 'late' }].map((row) => ({
			...row,
			options: { concurrency: 2 },
		})),
		service: async (prompt) => {
			if (prompt === 'quick') return GOOD;
			stop.abort();
			return await Promise.reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		},
		more: { getExecutionCancelSignal: () => stop.signal },
	});
	const items = await generateTexts(context);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
});
