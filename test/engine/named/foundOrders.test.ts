import type { IDataObject } from 'n8n-workflow';

import { createSandbox } from '../../../sandbox/service';
import { hurry, until } from '../../support/clock';
import {
	byId,
	CONTINUE,
	KEY,
	planned,
	toInput,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { type Case, MODELS, NOT_LISTED, orderAt, THREE_ROWS, unclear } from './support/lostOrders';

// What decides whether a task of the list is that of an order without a clear answer: pictures, other
// executions, other processes, and limits.

const stage = useStage();
const order = async (one: Case) => await orderAt(stage, one);

afterEach(() => jest.restoreAllMocks());

const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FIRST_FRAME = {
	parameters: { imageSource: 'binary', imageBinaryProperty: 'image' },
	binary: { image: { data: PNG, mimeType: 'image/png', fileName: 'a.png' } },
};

describe('with a picture', () => {
	it.each([
		['replicate', MODELS.replicate],
		['fal', 'fal-ai/veo3.1/image-to-video'],
	] as const)('finds it at %s', async (api, model) => {
		const found = { api, model, plan: { submit: ['acceptThenCut'] }, ...FIRST_FRAME };
		expect(await order(found)).toMatchObject({ films: 1, orders: 1 });
	});

	it('takes none with another picture', async () => {
		const image = `data:image/png;base64,${Buffer.from('another').toString('base64')}`;
		const { films, errors } = await order({
			...FIRST_FRAME,
			plan: { submit: ['reset'] },
			during: (sandbox, prompt) =>
				void sandbox.addTasks(1, {
					...{ model: MODELS.replicate, input: { prompt, image }, beginsAgoMs: 0 },
				}),
		});
		expect(films).toBe(0);
		expect(errors).toMatchObject(unclear(NOT_LISTED));
	});
});

describe('another n8n process', () => {
	/** What n8n's database answers to a claim of a found task; all others go their way. */
	function answerClaims(answer: (names: string[]) => Promise<unknown>) {
		const { deduplicator } = stage.engine;
		const ask = deduplicator.checkProcessedAndRecord.bind(deduplicator);
		jest
			.spyOn(deduplicator, 'checkProcessedAndRecord')
			.mockImplementation(async (...claimed: unknown[]) => {
				const [names] = claimed as [string[]];
				return names[0].startsWith('found ') ? await answer(names) : await ask(...claimed);
			});
	}
	const plan = { submit: ['acceptThenReset'] };

	it('takes no task that it has taken', async () => {
		answerClaims(async (names) => ({ new: [], processed: names }));
		const { films, orders, errors } = await order({ plan });
		expect({ films, orders }).toEqual({ films: 0, orders: 1 });
		expect(errors).toMatchObject(
			unclear(
				/Another execution of this node has taken the task that the list shows\. The list shows: \w+/,
			),
		);
	});

	it('keeps what was found where the database cannot be asked', async () => {
		answerClaims(async () => {
			throw new Error('no database');
		});
		expect(await order({ plan })).toMatchObject({ films: 1, orders: 1, errors: [] });
	});
});

it.each([
	['has a clear answer', 'ok'],
	['is under way, as its answer is slow', { fault: 'ok', delayMs: 400 }],
])('takes none of an equal order of another execution, which %s', async (_what, other) => {
	const sandbox = await createSandbox({ renderMs: 60, profile: 'replicate' });
	const haste = hurry(100);
	try {
		const prompt = planned('A fox', { submit: ['reset', other] });
		const access = { api: 'replicate', proxyUrl: sandbox.url, apiKey: KEY };
		const run = async () =>
			await stage.engine.run({
				node: videoGenerate({ model: byId(MODELS.replicate) }, CONTINUE),
				items: toInput({ prompt }),
				credentials: { videoGenerationApi: access } as never,
			});
		const lost = run();
		await until(() => sandbox.submissions().length === 1);
		const ends = (await Promise.all([lost, run()])).map((result) => result.outputs()[0][0].json);
		expect(ends).toMatchObject([{ error: { billed: 'unknown' } }, { status: 'SUCCESS' }]);
		expect(sandbox.submissions()).toHaveLength(2);
	} finally {
		haste.restore();
		await sandbox.close();
	}
});

it('Max Videos per Day counts one that is found, and one that is not', async () => {
	for (const [submit, films] of [
		['acceptThenCut', 2],
		['reset', 1],
	] as const) {
		const options: IDataObject = { ...THREE_ROWS.parameters.options, cost: { maxVideosPerDay: 2 } };
		const settings = { ...CONTINUE, id: `of a day ${submit}` };
		const limited = {
			...THREE_ROWS,
			parameters: { options },
			settings,
			plan: { submit: [submit] },
		};
		expect(await order(limited)).toMatchObject({ films, orders: 2 });
	}
});

it('Run Asynchronously hands out the ID that the list shows', async () => {
	const parameters = { wait: 'none' };
	const { outputs, orders } = await order({ parameters, plan: { submit: ['acceptThenReset'] } });
	expect(outputs()[0]).toMatchObject([
		{ json: { task_id: expect.any(String) as string, billed: 'yes' } },
	]);
	expect(orders).toBe(1);
});
