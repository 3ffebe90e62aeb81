import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { hurry, until } from '../../support/clock';
import {
	planned,
	plannedRows,
	to,
	useStage,
	videoGenerate,
	videoStatus,
} from '../../support/stage';
import { always, times } from './support/faults';
import { CLICK, END, sendBack, toVideo } from './support/sendBack';

// An item that comes back to the node is about what it paid for.

const stage = useStage();
const counts = () => ({
	submitted: stage.sandbox.submissions().length,
	paid: stage.sandbox.tasks().length,
});
/** Looks so often at what is there. */
const looked = async (times: number) =>
	await until(() => stage.sandbox.requests.filter(({ method }) => method === 'GET').length > times);

const FAILURE: Plan = { outcome: 'FAILURE', renderMs: 0 };
/** Five polls in a row that are refused end the wait; the next pass finds it ready. */
const LOST: Plan = { poll: times('unauthorized', 5) };
const ALWAYS_LOST: Plan = { poll: always('unauthorized') };
const UNCLEAR: Plan = { submit: always('acceptThen500') };
const MOVING = {
	seed: '={{ $json.pass || 0 }}',
	additionalFields: '={"user": "{{ $execution.id }}"}',
};

describe('a failing item that is sent back', () => {
	it('follows its task, also where its place moves', async () => {
		const result = await sendBack(stage, plannedRows({}, LOST));
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
		const items = result.runs('End').flatMap(({ data }) => data!.main[0] ?? []);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ status: 'SUCCESS', reused: false },
			{ status: 'SUCCESS', reused: true },
		]);
	});

	it.each<[what: string, plan: Plan, parameters: IDataObject]>([
		['lost', ALWAYS_LOST, {}],
		['lost, and its prompt counts', ALWAYS_LOST, { prompt: '={{ $json.prompt }}{{ $json.pass }}' }],
		['unclear', UNCLEAR, {}],
		['unclear, and its prompt moves', UNCLEAR, { prompt: '={{ $json.prompt }} {{ $now }}' }],
		['failed, and its options move', FAILURE, { options: MOVING }],
	])('is not paid for again: %s', async (_what, plan, parameters) => {
		const result = await sendBack(stage, plannedRows(plan), parameters);
		expect(result.runs('Video').length).toBeGreaterThan(2);
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});

	it('is submitted anew after FAILURE where somebody has changed it, once for each change', async () => {
		await sendBack(stage, plannedRows(FAILURE), {}, planned('changed to 2', FAILURE));
		expect(counts()).toEqual({ submitted: 2, paid: 2 });
	});

	it('is not paid for twice after a pass in which it could not be read', async () => {
		const prompt = `={{ $runIndex === 1 ? '' : ${JSON.stringify(planned('video 0', LOST))} }}`;
		await sendBack(stage, plannedRows(LOST), { prompt });
		expect(counts()).toEqual({ submitted: 1, paid: 1 });
	});
});

it('an item that still renders is followed where it is led back', async () => {
	const polling = { pollInterval: 0.02, onTimeout: 'returnTask' };
	const video = videoGenerate({ options: { maxWait: 0.002, polling } });
	const execution = stage.engine.start({
		nodes: [CLICK, { ...video, name: 'Video' }],
		connections: { Click: { main: [to('Video')] }, Video: { main: [to('Video')] } },
		items: plannedRows({ renderMs: 60_000 }),
		credentials: stage.credentials,
	});
	await looked(20);
	await execution.stop();
	await execution.done;
	expect(counts().submitted).toBe(1);
});

it('a failed render that Video Status leads back is paid for once', async () => {
	const haste = hurry(1_000);
	const status = videoStatus({ taskId: '={{ $json.error?.task_id || $json.task_id }}' });
	const execution = stage.engine.start({
		nodes: [CLICK, toVideo(), { ...status, name: 'Status' }],
		connections: {
			Click: { main: [to('Video')] },
			Video: { main: [[], to('Status')] },
			Status: { main: [to('Video'), to('Video'), to('Video')] },
		},
		items: plannedRows(FAILURE),
		credentials: stage.credentials,
	});
	await looked(20);
	await execution.stop();
	haste.restore();
	expect((await execution.done).runs('Video').length).toBeGreaterThan(2);
	expect(counts().submitted).toBe(1);
});

it('an unclear item of another node is submitted, whatever is unclear here', async () => {
	const other = planned('other', UNCLEAR);
	await stage.engine.run({
		nodes: [CLICK, toVideo(), toVideo({ prompt: other }, 'Other'), END],
		connections: {
			Click: { main: [to('Video', 'Other')] },
			Other: { main: [to('End'), to('Video')] },
		},
		items: plannedRows({ submit: ['acceptThen500'] }),
		credentials: stage.credentials,
	});
	// Two of Video, one of Other.
	expect(counts().submitted).toBe(3);
});
