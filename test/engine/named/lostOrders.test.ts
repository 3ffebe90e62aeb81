import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/service';
import { until } from '../../support/clock';
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

// Orders without a clear answer, at services whose lists show what was sent. A hundred times as fast: the list
// is looked at every 50 ms, twelve times.

const stage = useStage();
const order = async (one: Case) => await orderAt(stage, one);

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

it('ends the search on Stop, and says so', async () => {
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
	const result = await execution.done;
	expect(result.status).toBe('canceled');
	expect([result.outputs()[0][0].json.error]).toMatchObject(
		unclear(/The execution was stopped before a list of tasks could show it\./),
	);
	expect(sandbox.submissions()).toHaveLength(1);
	await sandbox.close();
});

it('says that the list could not be read', async () => {
	const options = { plan: { list: [{ always: 'json500' }] } } as SandboxOptions;
	const before = (sandbox: Sandbox) => sandbox.set(options as never);
	const { errors } = await order({ options: { cutOrders: 1 }, before });
	expect(errors).toMatchObject(unclear(/The list of tasks of Replicate could not be read: /));
});

it('names the task that it has seen before the list could not be read', async () => {
	const options = {
		plan: { list: ['ok', 'ok', 'ok', 'ok', { always: 'json500' }] },
	} as SandboxOptions;
	const { errors, orders } = await order({
		...{ api: 'fal', plan: { submit: ['acceptThenReset'] } },
		before: (sandbox) => sandbox.set(options as never),
	});
	expect(errors).toMatchObject(
		unclear(
			/The list of tasks of fal could not be read: .* The list shows: fal-ai\/veo3\.1\/requests\/[\w-]+/,
		),
	);
	expect(orders).toBe(1);
});
