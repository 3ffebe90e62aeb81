import type { IDataObject } from 'n8n-workflow';

import { print } from '../../support/print';
import { useStage } from '../../support/stage';
import { extraTasks, lostTasks } from './accounts';
import { play, type Play } from './play';
import { isFailing, type End } from './row';
import { batches } from './rows/batches';
import { downloads } from './rows/downloads';
import { envelopes } from './rows/envelopes';
import { keys } from './rows/keys';
import { pollLasting } from './rows/pollLasting';
import { pollPassing } from './rows/pollPassing';
import { retries } from './rows/retries';
import { shapes } from './rows/shapes';
import { status } from './rows/status';
import { stops } from './rows/stops';
import { submitAccepted } from './rows/submitAccepted';
import { submitRefused } from './rows/submitRefused';
import { submitUnclear } from './rows/submitUnclear';

jest.setTimeout(20_000);

const stage = useStage();
const submits = [...submitRefused, ...submitUnclear, ...submitAccepted, ...envelopes];
const polls = [...pollPassing, ...pollLasting, ...shapes];
const others = [...keys, ...downloads, ...batches, ...status, ...stops, ...retries];
const rows = [...submits, ...polls, ...others];
const totals = { played: 0, tasks: 0, lost: [] as string[], extra: 0 };

describe('whatever goes wrong, in all three On Error modes', () => {
	it.each(rows)('$fault', async (row) => {
		const plays = await play(stage, row);
		totals.played++;
		totals.tasks += plays.flatMap(({ tasks }) => tasks).length;
		totals.lost.push(...plays.flatMap(lostTasks).map((id) => `${row.fault}: ${id}`));
		totals.extra += plays.map(extraTasks).reduce((sum, extra) => sum + extra);
		plays.forEach(check);
	});

	it('loses no task and submits none beyond the wanted ones', () => {
		const { played, tasks, lost, extra } = totals;
		print(
			`Fault table: ${played} rows, ${tasks} tasks; lost: ${lost.length}, beyond the wanted: ${extra}`,
		);
		expect(totals).toMatchObject({ played: rows.length, lost: [], extra: 0 });
	});
});

function check(played: Play): void {
	const { row, mode, result, tasks, submissions, polls } = played;
	const { posts = row.plans.length, paid = row.plans.length, looks } = row;
	const throws = mode === 'stopWorkflow' && row.ends.some(isFailing) && !row.stopWhen;
	expect(result.status).toBe(row.stopWhen ? 'canceled' : throws ? 'error' : 'success');
	if (throws) checkError(played);
	else row.ends.forEach((end, i) => checkItem(played, end, i));
	expect(lostTasks(played)).toEqual([]);
	// A batch that is stopped by its first failure submits nothing more.
	if (throws && row.plans.length > 1) return;
	expect({ posts: submissions.length, paid: tasks.length }).toEqual({ posts, paid });
	for (const { task_id } of looks === undefined ? [] : tasks) {
		expect(polls.filter(({ taskId }) => taskId === task_id)).toHaveLength(looks!);
	}
}

function checkError({ row, result }: Play): void {
	const messages = row.ends.filter(isFailing).map(({ message }) => message.source);
	expect(result.error?.message).toMatch(new RegExp(messages.join('|')));
}

function checkItem({ row, mode, result, polls }: Play, end: End, itemIndex: number): void {
	const outputs = result.outputs();
	const output = outputs.findIndex((items) => items.some(isOf(itemIndex)));
	const json = outputs[output]?.find(isOf(itemIndex))?.json ?? {};
	if (end === 'no item') return expect(output).toBe(-1);
	if (isFailing(end)) {
		const message = expect.stringMatching(end.message) as unknown;
		expect(json.error).toMatchObject({ message, ...end.fields });
		if (mode === 'continueErrorOutput') expect(output).toBe(outputs.length - 1);
		return;
	}
	expect(json).toMatchObject({ status: end });
	expect(json.error).toBeUndefined();
	const looks = polls.filter(({ taskId }) => taskId === json.task_id).length;
	const isCounted = !row.meanwhile && !row.stopWhen && !row.settings;
	if (isCounted) expect(json.poll_count).toBe(looks);
	if (end === 'SUCCESS') expect(json.result_url).toMatch(/^https?:\/\//);
	if (row.parameters?.downloadVideo && !row.stopWhen) {
		expect(outputs[output].find(isOf(itemIndex))?.binary?.data.mimeType).toBe('video/mp4');
	}
}

const isOf =
	(itemIndex: number) =>
	({ pairedItem }: { pairedItem?: unknown }) =>
		(pairedItem as IDataObject | undefined)?.item === itemIndex;
