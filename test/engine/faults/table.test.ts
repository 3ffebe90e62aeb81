import type { IDataObject } from 'n8n-workflow';

import { useStage } from '../../support/stage';
import { lostTasks } from './accounts';
import { isFailing, playAll, type End, type FaultRow, type Play } from './play';
import { others } from './rows/others';
import { polls } from './rows/polls';
import { submits } from './rows/submits';

const stage = useStage();

// Stop ends whatever is under way, on any route. Where no record has an address, a look at the film
// comes before its download.
const isForAll = ({ fault, stopWhen }: FaultRow) =>
	!stopWhen && !/^(retry: a )?download/.test(fault);
const rows = [...submits, ...polls, ...others].filter(
	(row) => stage.service.routes !== 'openAiVideos' || isForAll(row),
);

describe('whatever goes wrong, and where it stays wrong in all three On Error modes', () => {
	let plays: Awaited<ReturnType<typeof playAll>>;
	beforeAll(async () => void (plays = await playAll(stage, rows)), 600_000);

	it.each(rows.map(({ fault }, n) => ({ fault, n })))('$fault', ({ n }) => {
		const played = plays[n];
		if (played.status === 'rejected') throw played.reason;
		played.value.forEach(check);
	});
});

function check(played: Play): void {
	const { row, mode, result, tasks, submissions, polls: looked } = played;
	const { posts = row.plans.length, paid = row.plans.length, looks } = row;
	const throws = mode === 'stopWorkflow' && row.ends.some(isFailing) && !row.stopWhen;
	expect(result.status).toBe(row.stopWhen ? 'canceled' : throws ? 'error' : 'success');
	if (throws) checkError(played);
	else row.ends.forEach((end, i) => checkItem(played, end, i));
	expect(lostTasks(played)).toEqual([]);
	expect(tasks.length).toBeLessThanOrEqual(paid);
	// A batch that is stopped by its first failure submits nothing more.
	if (throws && row.plans.length > 1) return;
	expect({ posts: submissions.length, paid: tasks.length }).toEqual({ posts, paid });
	for (const { task_id } of looks === undefined ? [] : tasks) {
		expect(looked.filter(({ taskId }) => taskId === task_id)).toHaveLength(looks!);
	}
}

function checkError({ row, result }: Play): void {
	const messages = row.ends.filter(isFailing).map(({ message }) => message.source);
	expect(result.error?.message).toMatch(new RegExp(messages.join('|')));
}

function checkItem({ row, mode, result, polls: looked }: Play, end: End, itemIndex: number): void {
	const outputs = result.outputs();
	const isIts = ({ pairedItem }: { pairedItem?: unknown }) =>
		(pairedItem as IDataObject | undefined)?.item === itemIndex;
	const output = outputs.findIndex((items) => items.some(isIts));
	const { json = {}, binary } = outputs[output]?.find(isIts) ?? {};
	if (end === 'no item') return expect(output).toBe(-1);
	if (isFailing(end)) {
		const message = expect.stringMatching(end.message) as unknown;
		expect(json.error).toMatchObject({ message, ...end.fields });
		if (mode === 'continueErrorOutput') expect(output).toBe(outputs.length - 1);
		return;
	}
	expect(json).toMatchObject({ status: end });
	expect(json.error).toBeUndefined();
	const looks = looked.filter(({ taskId }) => taskId === json.task_id).length;
	const isCounted = !row.meanwhile && !row.stopWhen && !row.settings;
	if (isCounted) expect(json.poll_count).toBe(looks);
	if (end === 'SUCCESS') expect(json.result_url).toMatch(/^https?:\/\//);
	if (row.parameters?.downloadVideo && !row.stopWhen) {
		expect(binary?.data.mimeType).toBe('video/mp4');
	}
}
