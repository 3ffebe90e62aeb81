import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import type { EngineNode } from '../../support/engine';
import {
	MODEL,
	MODES,
	planned,
	plannedRows,
	promptsOf,
	to,
	toInput,
	videoStatus,
	inLoop,
	useStage,
	videoGenerate,
} from '../../support/stage';
import { hurry, until } from '../../support/clock';
import { always, RETRY_ON_FAIL, times } from './play';
import { CLICK, END, sendBack, toVideo } from './sendBack';

// Whose wish is it? Expressions that give something else at each try must not pay for a video twice.

const MOVING: Array<[what: string, parameters: IDataObject]> = [
	['the time in the prompt', { prompt: '={{ $now.toMillis() }} {{ $json.prompt }}' }],
	['a random number in the prompt', { prompt: '={{ Math.random() }} {{ $json.prompt }}' }],
	['a random seed', { options: { seed: '={{ Math.floor(Math.random() * 1e6) }}' } }],
	[
		'the execution in Additional Fields',
		{ options: { additionalFields: '={{ { id: $execution.id + Math.random() } }}' } },
	],
];
const [, , [, MOVING_SEED]] = MOVING;

const stage = useStage();

const run = async (node: EngineNode, ...plans: Plan[]) =>
	await stage.run(node, plannedRows(...plans));
const counts = () => ({
	submitted: stage.sandbox.submissions().length,
	paid: stage.sandbox.tasks().length,
});
const submittedOfFirst = () =>
	stage.sandbox.submissions().filter(({ body }) => body?.prompt?.includes('video 0')).length;

describe.each(MOVING)('%s', (_what, parameters) => {
	it.each(MODES)('%s: three tries of each kind of end', async (onError) => {
		// The refused one comes first: n8n tries a node again where its first item has failed.
		const node = videoGenerate(parameters, { ...RETRY_ON_FAIL, onError });
		await run(node, { submit: always('badRequest') }, {}, {});
		expect(counts()).toEqual({ submitted: 5, paid: 2 });
		stage.sandbox.reset();
		await run(node, { poll: always('unauthorized') }, {});
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
		stage.sandbox.reset();
		await run(node, { submit: 'acceptThen500' });
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});

	it('"Retry execution" picks up what was paid for', async () => {
		let last = await run(videoGenerate(parameters), {}, { submit: always('forbidden') });
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/was not submitted/);
		expect([submittedOfFirst(), counts().paid]).toEqual([1, 1]);
	});

	it('"Retry execution" leaves an unclear one alone, beside one that has failed', async () => {
		const node = videoGenerate(parameters);
		let last = await run(node, { submit: 'acceptThen500' }, { submit: ['forbidden'] });
		for (let time = 0; time < 2; time++) last = await stage.engine.retry(last);
		expect(last.error?.message).toMatch(/may or may not have been accepted/);
		expect(submittedOfFirst()).toBe(1);
	});
});

it('"Retry execution" of equal items keeps them apart, whichever retry paid', async () => {
	const plan: Plan = { submit: ['forbidden', {}, 'forbidden'] };
	const node = videoGenerate({ options: { polling: { concurrency: 1 } } });
	const items = toInput(...Array<IDataObject>(3).fill({ prompt: planned('the same', plan) }));
	const failed = await stage.run(node, items);
	let last = failed;
	for (const from of ['first', 'last', 'first', 'last']) {
		if (last.status === 'success') break;
		last = await stage.engine.retry(from === 'first' ? failed : last);
	}
	expect(last.status).toBe('success');
	const ids = last.outputs()[0].map(({ json }) => json.task_id);
	expect(new Set(ids).size).toBe(3);
	expect(counts().paid).toBe(3);
});

it('how a model was chosen is no other wish', async () => {
	const failed = await run(videoGenerate(MOVING_SEED), {}, { submit: ['forbidden'] });
	const model = { __rl: true, mode: 'list', value: MODEL, cachedResultName: 'Veo' };
	const node = videoGenerate({ ...MOVING_SEED, model });
	await stage.engine.retry(failed, { node, credentials: stage.credentials });
	expect(counts().paid).toBe(2);
});

it('a row of a sheet with what is left of such an error is submitted, also by a second try', async () => {
	const rows = plannedRows({ submit: ['acceptThen500'] }, { submit: ['forbidden', 'ok'] });
	rows[1].json.error = { next: 'followTask' };
	await stage.run(videoGenerate({}, RETRY_ON_FAIL), rows);
	expect(counts()).toEqual({ submitted: 3, paid: 2 });
});

const AT = '$json.error.submitted_at';
const NOT_TOLD = /its error no longer tells/;

const loop = async (parameters: IDataObject, plan: Plan, more?: Parameters<typeof sendBack>[3]) =>
	await sendBack(stage, plannedRows(plan), parameters, more);

describe('a failing item that is sent back to the node', () => {
	it.each([undefined, '={{ JSON.stringify($json.error) }}'])(
		'follows its task; %j',
		async (error) => {
			// Five polls in a row that are refused end the wait; the next pass finds it ready.
			const result = await loop({}, { poll: times('unauthorized', 5) }, { error });
			expect(counts().submitted).toBe(1);
			const items = result.outputs('End')[0].map(({ json }) => json);
			expect(items).toMatchObject([{ status: 'SUCCESS', reused: true }]);
		},
	);

	it.each<[unclear: boolean, error: string, message: RegExp]>([
		[true, '={{ { next: $json.error.next } }}', NOT_TOLD],
		[true, '={{ { ...$json.error, submitted_at: null } }}', NOT_TOLD],
		[true, `={{ { ...$json.error, submitted_at: ${AT}?.slice(0, 19) } }}`, NOT_TOLD],
		[true, `={{ { ...$json.error, submitted_at: Date.parse(${AT}) } }}`, NOT_TOLD],
		[true, `={{ { ...$json.error, submitted_at: ${AT}.replace('Z', '+00:00') } }}`, /HTTP 500/],
		[true, `={{ { ...$json.error, submitted_at: ${AT}.replace('T', ' ') } }}`, /HTTP 500/],
		[false, '={{ { next: $json.error.next } }}', NOT_TOLD],
		[false, '={{ { ...$json.error, task_id: null } }}', NOT_TOLD],
		[false, '={{ $json.error.message }}', /can no longer be followed/],
		[true, '={{ $json.error.message }}', NOT_TOLD],
		...[true, false].flatMap((unclear) =>
			[
				...['$json.error.description', '"failed"', '{}'],
				...['[$json.error]', 'JSON.stringify($json.error).slice(0, 50)'],
			].map((error): [boolean, string, RegExp] => [unclear, `={{ ${error} }}`, NOT_TOLD]),
		),
	])(
		'is not paid for again where its error was thinned: %j %s',
		async (unclear, error, message) => {
			const plan: Plan = unclear
				? { submit: always('acceptThen500') }
				: { poll: always('unauthorized') };
			const result = await loop({}, plan, { error });
			expect(counts()).toEqual({ submitted: 1, paid: 1 });
			const [, , [{ json }]] = result.runs('Video').map(({ data }) => data!.main[1]!);
			expect(json.error).toMatchObject({ message: expect.stringMatching(message) });
		},
	);

	it.each([
		...['{ message: $json.error.message }', '$json.error.message'],
		// As Generate Content leaves it at its error output.
		'{ message: "No text", next: "retry", video_error: $json.error }',
	])('is not paid for again where it was changed, and its error is %s', async (error) => {
		for (const plan of [{ submit: always('acceptThen500') }, { poll: always('unauthorized') }]) {
			stage.sandbox.reset();
			const edited = planned('changed', plan);
			await loop({}, plan as Plan, { error: `={{ ${error} }}`, edited });
			expect(counts()).toEqual({ submitted: 1, paid: 1 });
		}
	});

	const FAILURE = { outcome: 'FAILURE', renderMs: 0 } as const;
	const RENDERS = { renderMs: 60_000 };

	it('is not paid for again after FAILURE where its error names no task', async () => {
		await loop({}, FAILURE, { error: '={{ { ...$json.error, task_id: null } }}' });
		expect(counts().submitted).toBe(1);
	});

	const NUMBERED = '=Shot {{ $json.pass ?? 0 }}: {{ $json.prompt }}';
	const THINNED = [
		...['$json.error.message', '{ message: $json.error.message }'],
		'{ message: $json.error.message, next: $json.error.next }',
	];

	it.each(
		[FAILURE, { submit: always('acceptThen500') }, { poll: always('unauthorized') }].flatMap(
			(plan) => THINNED.map((error) => ({ plan: plan as Plan, error })),
		),
	)('is not paid for again where its prompt counts, too: $plan $error', async ({ plan, error }) => {
		await loop({ prompt: NUMBERED }, plan, { error: `={{ ${error} }}` });
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});

	it.each(['$input.item', '$input.first()', "$('Count').item"])(
		'is not paid for again where an expression reads its error by way of %s',
		async (item) => {
			const prompt = `={{ $json.prompt }}{{ $json.pass ? ${item}.json.error.message : '' }}`;
			await sendBack(stage, plannedRows(FAILURE), { prompt });
			expect(counts()).toEqual({ submitted: 1, paid: 1 });
		},
	);

	it('is not paid for again where its place moves, and an expression reads its error', async () => {
		const light = "{{ $json.error ? ', soft light' : '' }}";
		const prompt = `=Shot {{ $itemIndex + 1 }}: {{ $json.prompt }}${light}`;
		await sendBack(stage, plannedRows({}, FAILURE), { prompt });
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
	});

	it.each(['={{ $json.prompt }}', NUMBERED])(
		'is not taken for the row beside which its error stands: %s',
		async (prompt) => {
			const rows = plannedRows({}, { poll: always('unauthorized') });
			const edited = `={{ ${JSON.stringify(rows[0].json.prompt)} }}`;
			const result = await sendBack(stage, rows, { prompt }, { edited });
			expect(counts()).toEqual({ submitted: 2, paid: 2 });
			const [, [{ json }]] = result.runs('Video').map(({ data }) => data!.main[1]!);
			expect(json.error).toMatchObject({
				message: expect.stringMatching(/another item's error/),
			});
		},
	);

	const NEXT_ONE = '={{ $input.all()[($itemIndex + 1) % $input.all().length].json.error }}';
	/** A try and a pass of a loop. */
	const LOST: Plan = { poll: times('unauthorized', 5) };
	const REFUSED: Plan = { submit: ['forbidden'] };
	it.each<[of: string, prompts: string[], plans: Plan[], error: string, paid: number]>([
		['a row without a task', ['boat', 'car'], [REFUSED, LOST], NEXT_ONE, 1],
		['an unclear row', ['boat', 'car'], [REFUSED, { submit: ['acceptThen500'] }], NEXT_ONE, 1],
		['a row with another number', ['scene 2', 'scene 3'], [LOST, LOST], NEXT_ONE, 2],
		['the first row', ['boat', 'car'], [LOST, REFUSED], '={{ $input.first().json.error }}', 1],
	])('is not taken for %s whose error it has', async (_of, prompts, plans, error, paid) => {
		const rows = toInput(...prompts.map((prompt, i) => ({ prompt: planned(prompt, plans[i]) })));
		const isCounted = error === NEXT_ONE && prompts[0] === 'boat';
		const parameters = isCounted ? { prompt: NUMBERED } : {};
		const result = await sendBack(stage, rows, parameters, { error });
		expect(counts().paid).toBe(paid);
		const films = result.runs('End').flatMap(({ data }) => data!.main[0] ?? []);
		expect(promptsOf(stage, films)).toEqual(films.map(({ json }) => json.prompt));
	});

	it('is followed where its number becomes that of the row behind it', async () => {
		const rows = toInput(...['take 1', 'take 2'].map((take) => ({ prompt: planned(take, LOST) })));
		const edited = '={{ $json.prompt.replace(/\\d/, (digit) => Number(digit) + 1) }}';
		const result = await sendBack(stage, rows, {}, { edited });
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
		expect(result.runs('End').flatMap(({ data }) => data!.main[0] ?? [])).toHaveLength(2);
	});

	it('is followed where its prompt counts, and another row asks for the same', async () => {
		const plan: Plan = { poll: times('unauthorized', 5) };
		const rows = toInput(...Array<IDataObject>(2).fill({ prompt: planned('the same', plan) }));
		const result = await sendBack(stage, rows, { prompt: NUMBERED });
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
		const items = result.runs('End').flatMap(({ data }) => data!.main[0] ?? []);
		expect(items.map(({ json }) => json.status)).toEqual(['SUCCESS', 'SUCCESS']);
	});

	it.each([
		['is followed', '={{ $json.prompt }}', 1],
		['is another video once somebody has changed it', planned('changed', RENDERS), 2],
	])('%s where it still renders', async (_what, prompt, submitted) => {
		const polling = { pollInterval: 0.02, onTimeout: 'returnTask' };
		const video = videoGenerate({ options: { maxWait: 0.002, polling } });
		const back = { name: 'Back', type: 'n8n-nodes-base.set', parameters: { prompt } };
		const execution = stage.engine.start({
			nodes: [CLICK, { ...video, name: 'Video' }, back],
			connections: {
				Click: { main: [to('Video')] },
				Video: { main: [to('Back')] },
				Back: { main: [to('Video')] },
			},
			items: plannedRows(RENDERS),
			credentials: stage.credentials,
		});
		await until(() => stage.sandbox.requests.filter(({ method }) => method === 'GET').length > 20);
		await execution.stop();
		await execution.done;
		expect(counts().submitted).toBe(submitted);
	});

	it.each<[what: string, plan: Plan, prompt: string]>([
		[
			'it has failed, and its prompt counts',
			FAILURE,
			'={{ $json.prompt }} {{ $json.poll_count ?? 0 }}',
		],
	])('is not paid for again where Video Status says that %s', async (_what, plan, prompt) => {
		const haste = hurry(1_000);
		const status = videoStatus({ taskId: '={{ $json.error?.task_id || $json.task_id }}' });
		const execution = stage.engine.start({
			nodes: [CLICK, toVideo({ prompt }), { ...status, name: 'Status' }],
			connections: {
				Click: { main: [to('Video')] },
				Video: { main: [[], to('Status')] },
				Status: { main: [to('Video'), to('Video'), to('Video')] },
			},
			items: plannedRows(plan),
			credentials: stage.credentials,
		});
		await until(() => stage.sandbox.requests.filter(({ method }) => method === 'GET').length > 100);
		await execution.stop();
		haste.restore();
		const result = await execution.done;
		expect(result.runs('Video').length).toBeGreaterThan(2);
		expect(counts().submitted).toBe(1);
	});

	it('is a row like any other where the error is of another time', async () => {
		const items = plannedRows({}, {}).map(({ json }) => ({
			json: { ...json, error: 'No [item 0]' },
		}));
		await stage.engine.run({ ...inLoop(videoGenerate()), items, credentials: stage.credentials });
		expect(counts().submitted).toBe(2);
	});

	it.each([{}, MOVING_SEED])(
		'is submitted anew after FAILURE where somebody has changed it, once for each change: %j',
		async (parameters) => {
			await loop(parameters, FAILURE, { edited: planned('changed to 2', FAILURE) });
			expect(counts()).toEqual({ submitted: 2, paid: 2 });
		},
	);

	it('is submitted once more where it was changed and refused in between', async () => {
		const plan = { ...FAILURE, submit: ['forbidden', 'ok', 'forbidden', 'ok'] } as Plan;
		await loop({}, FAILURE, { edited: planned('changed', plan) });
		expect(counts()).toEqual({ submitted: 3, paid: 2 });
	});

	/** In its second pass the item cannot be read. */
	const unreadableOnce = (plan: Plan) => ({
		prompt: `={{ $runIndex === 1 ? '' : ${JSON.stringify(planned('video 0', plan))} }}`,
	});

	it.each<Plan>([{ poll: times('unauthorized', 5) }, { submit: ['acceptThen500'] }])(
		'is not paid for twice after a pass in which it could not be read: %j',
		async (plan) => {
			await loop(unreadableOnce(plan), plan);
			expect(counts()).toEqual({ submitted: 1, paid: 1 });
		},
	);
});

it('an unclear item of another node is submitted, whatever is unclear here', async () => {
	const other = planned('other', { submit: always('acceptThen500') });
	await stage.engine.run({
		nodes: [CLICK, toVideo(), toVideo({ prompt: other }, 'Other'), END],
		connections: {
			Click: { main: [to('Video', 'Other')] },
			Other: { main: [to('End'), to('Video')] },
		},
		items: plannedRows({ submit: ['acceptThen500'] }),
		credentials: stage.credentials,
	});
	expect(submittedOfFirst()).toBe(2);
});

it('a render that fails lets no further submit begin', async () => {
	const node = videoGenerate({ options: { polling: { concurrency: 1 } } });
	await run(node, { outcome: 'FAILURE', renderMs: 0 }, { submit: ['rateLimited'] });
	expect(counts().paid).toBe(1);
});
