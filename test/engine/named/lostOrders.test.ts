import type { IDataObject } from 'n8n-workflow';

import {
	createSandbox,
	type Plan,
	type Sandbox,
	type SandboxOptions,
} from '../../../sandbox/service';
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

// Orders without a clear answer, at services whose lists show what was sent. A hundred times as fast: the list
// is looked at every 50 ms, twelve times.

const stage = useStage();

const MODELS = { fal: 'fal-ai/veo3.1', replicate: 'google/veo-3.1' } as const;
type Api = keyof typeof MODELS;

interface Case {
	api?: Api;
	plan?: Plan;
	rows?: number;
	options?: SandboxOptions;
	/** Before the run, and once the first order is there. */
	before?: (sandbox: Sandbox, prompt: string) => void;
	during?: (sandbox: Sandbox, prompt: string) => void;
	settings?: object;
	parameters?: IDataObject;
}

const THREE_ROWS = { rows: 3, parameters: { options: { polling: { concurrency: 1 } } } };

/** Orders so many equal films, and counts. */
async function order({ api = 'replicate', plan = {}, rows = 1, ...more }: Case) {
	const sandbox = await createSandbox({ renderMs: 60, profile: api, ...more.options });
	const haste = hurry(100);
	try {
		const prompt = planned('A fox', plan);
		more.before?.(sandbox, prompt);
		const access = { api, proxyUrl: sandbox.url, apiKey: KEY };
		const model = byId(MODELS[api]);
		const execution = stage.engine.start({
			node: videoGenerate({ model, ...more.parameters }, more.settings ?? CONTINUE),
			items: toInput(...Array.from({ length: rows }, () => ({ prompt }))),
			credentials: { videoGenerationApi: access } as never,
		});
		await until(() => sandbox.submissions().length > 0);
		more.during?.(sandbox, prompt);
		const result = await execution.done;
		const items = (result.outputs()[0] ?? []).map(({ json }) => json);
		const films = items.filter(({ status }) => status === 'SUCCESS');
		const errors = items.flatMap(({ error }) => (error ? [error as IDataObject] : []));
		const ids = films.map(({ task_id }) => task_id);
		expect(new Set(ids).size).toBe(films.length);
		expect(films.every(({ billed }) => billed === 'yes')).toBe(true);
		return { ...result, films: films.length, errors, ids, orders: sandbox.submissions().length };
	} finally {
		haste.restore();
		await sandbox.close();
	}
}

const unclear = (words: RegExp) => [
	{ billed: 'unknown', next: 'checkUsage', description: expect.stringMatching(words) },
];
const NOT_LISTED = /The list of tasks of \w+ does not show it within a minute/;

describe.each(['replicate', 'fal'] as const)('%s', (api) => {
	it.each(['acceptThenReset', 'acceptThenCut', 'acceptThen500', 'acceptThen502', 'acceptThenHang'])(
		'finds an order that was accepted: %s',
		async (fault) => {
			const { films, orders, hints } = await order({ api, plan: { submit: [fault] } });
			expect({ films, orders }).toEqual({ films: 1, orders: 1 });
			expect(JSON.stringify(hints())).toMatch(/The list of tasks of the service shows it/);
		},
	);

	it.each(['reset', 'cut', 'html502'])(
		'orders nothing again that the list does not show: %s',
		async (fault) => {
			const { films, orders, errors } = await order({ api, plan: { submit: [fault] } });
			expect({ films, orders }).toEqual({ films: 0, orders: 1 });
			expect(errors).toMatchObject(unclear(NOT_LISTED));
		},
	);

	it('orders nothing again that was cut before its body', async () => {
		const { films, orders, errors } = await order({ api, options: { cutOrders: 1 } });
		expect({ films, orders }).toEqual({ films: 0, orders: 1 });
		expect(errors).toMatchObject(unclear(NOT_LISTED));
	});

	it('waits for a list that lags behind, whatever its clock', async () => {
		const plan = { submit: ['acceptThenCut'] };
		for (const clockSkewMs of [0, -3_600_000, 3_600_000]) {
			const options = { listLagMs: 250, clockSkewMs };
			expect(await order({ api, plan, options })).toMatchObject({ films: 1, orders: 1 });
		}
	});

	it('takes none of an earlier order of another workflow', async () => {
		const { films, errors } = await order({
			...{ api, plan: { submit: ['reset'] } },
			before: (sandbox, prompt) => {
				sandbox.addTasks(1, { model: MODELS[api], input: { prompt }, beginsAgoMs: 20_000 });
			},
		});
		expect(films).toBe(0);
		expect(errors).toMatchObject(unclear(NOT_LISTED));
	});

	it('takes none where another workflow has ordered the same meanwhile, and names both', async () => {
		const { films, errors } = await order({
			...{ api, plan: { submit: ['acceptThenReset'] } },
			during: (sandbox, prompt) => {
				sandbox.addTasks(1, { model: MODELS[api], input: { prompt }, beginsAgoMs: 0 });
			},
		});
		expect(films).toBe(0);
		expect(errors).toMatchObject(
			unclear(/shows more tasks that it could be than orders are unclear.* The list shows: .+, /),
		);
	});

	it.each([
		['another prompt', { prompt: 'A cat' }],
		['a further setting', { seed: 7 }],
	])('takes none with %s', async (_what, other) => {
		const { films } = await order({
			...{ api, plan: { submit: ['reset'] } },
			during: (sandbox, prompt) => {
				const input = { prompt, ...other };
				sandbox.addTasks(1, { model: MODELS[api], input, beginsAgoMs: 0 });
			},
		});
		expect(films).toBe(0);
	});

	it('gives ten equal rows, of which three are cut, ten films or none twice', async () => {
		const lost = ['acceptThenReset', 'acceptThenCut', 'acceptThen502'];
		const submit = ['ok', lost[0], 'ok', 'ok', lost[1], 'ok', 'ok', lost[2], 'ok', 'ok'];
		expect(await order({ api, rows: 10, plan: { submit } })).toMatchObject({
			...{ films: 10, orders: 10, errors: [] },
		});
	});

	it('leaves the one of three unclear that no task is there for', async () => {
		const submit = ['acceptThenReset', 'reset', 'acceptThen502'];
		const { films, orders, errors } = await order({ api, rows: 3, plan: { submit } });
		expect({ films, orders }).toEqual({ films: 2, orders: 3 });
		expect(errors).toMatchObject(unclear(NOT_LISTED));
	});
});

it('waits with further orders where a failing item would end the run', async () => {
	const found = { plan: { submit: ['acceptThenCut'] }, ...THREE_ROWS, settings: {} };
	expect(await order(found)).toMatchObject({ films: 3, orders: 3 });
	const lost = { plan: { submit: ['reset'] }, ...THREE_ROWS, settings: {} };
	const { error, orders } = await order(lost);
	expect(error?.message).toMatch(/^The video may or may not have been accepted/);
	expect(orders).toBe(1);
});

it('finds one behind newer tasks of another model, on a later page', async () => {
	const { films } = await order({
		plan: { submit: ['acceptThenReset'] },
		during: (sandbox) =>
			void sandbox.addTasks(150, {
				...{ model: 'bytedance/seedance-2.5', beginsAgoMs: 0, everyMs: 0 },
			}),
	});
	expect(films).toBe(1);
});

it('takes none of an equal order of another execution, which has a clear answer', async () => {
	const sandbox = await createSandbox({ renderMs: 60, profile: 'replicate' });
	const haste = hurry(100);
	try {
		const prompt = planned('A fox', { submit: ['reset'] });
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

it('ends the search on Stop, and keeps what it has seen', async () => {
	const sandbox = await createSandbox({ renderMs: 60, profile: 'replicate' });
	const access = { api: 'replicate', proxyUrl: sandbox.url, apiKey: KEY };
	const prompt = planned('A fox', { submit: ['reset'] });
	const execution = stage.engine.start({
		node: videoGenerate({ model: byId(MODELS.replicate) }, CONTINUE),
		items: toInput({ prompt }),
		credentials: { videoGenerationApi: access } as never,
	});
	await until(() => sandbox.submissions().length === 1);
	await execution.stop();
	expect((await execution.done).status).toBe('canceled');
	expect(sandbox.submissions()).toHaveLength(1);
	await sandbox.close();
});

it('says that the list could not be read', async () => {
	const options = { plan: { list: [{ always: 'json500' }] } } as SandboxOptions;
	const before = (sandbox: Sandbox) => sandbox.set(options as never);
	const { errors } = await order({ options: { cutOrders: 1 }, before });
	expect(errors).toMatchObject(unclear(/The list of tasks of Replicate could not be read: /));
});
