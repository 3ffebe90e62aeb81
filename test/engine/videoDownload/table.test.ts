import type { RequestRecord } from '../../../sandbox/service';
import { hurry, until } from '../../support/clock';
import { print } from '../../support/print';
import { KEY, useStage } from '../../support/stage';
import { bytesOf, errorOf, inWords, MODES, play, type Play } from './play';
import { isVersion1, type DownloadRow } from './row';
import { addresses } from './rows/addresses';
import { checks } from './rows/checks';
import { names } from './rows/names';
import { redirects } from './rows/redirects';
import { beginnings, resumes } from './rows/resumes';
import { retries } from './rows/retries';
import { streams } from './rows/streams';

jest.setTimeout(20_000);

const ended = new Set<RequestRecord>();
const stage = useStage({ logger: (record) => void ended.add(record) });
const points = { streams, checks, resumes, beginnings, retries, redirects, addresses, names };
const played = { rows: 0, downloads: 0 };

describe.each(MODES)('into the %s', (mode) => {
	describe.each(Object.entries(points))('%s', (_point, rows) => {
		it.each(rows)('$what', async (row) => {
			const haste = hurry(row.hurry ?? 60);
			try {
				const plays = await play(stage, row, mode);
				played.rows++;
				played.downloads += plays.length;
				for (const one of plays) await check(row, one);
			} finally {
				haste.restore();
			}
		});
	});
});

it('says how much was played', () => {
	const { rows, downloads } = played;
	print(`Download table: ${rows} rows (${MODES.join(', ')}), ${downloads} downloads`);
	expect(rows).toBe(Object.values(points).flat().length * MODES.length);
});

async function check(row: DownloadRow, one: Play): Promise<void> {
	const { node, result, requests, task_id } = one;
	// The service learns a little later that a client has left.
	await until(() => requests.every((request) => ended.has(request)));
	expect([node, ...requests.map(inWords)]).toEqual([node, ...row.asked]);
	const left = stage.engine.storedSizes(result);
	const halves = (isVersion1 && row.halvesOnVersion1) || 0;
	if (row.fails) {
		const message = expect.stringMatching(row.fails.message) as unknown;
		expect(errorOf(one)).toMatchObject({ message, task_id, ...row.fails.fields });
		expect(left).toHaveLength(halves);
	} else {
		await checkFile(row, one);
		expect(left).toHaveLength(halves + 1);
	}
	expect(JSON.stringify([result.run.data, result.logs])).not.toContain(KEY);
}

async function checkFile(row: DownloadRow, { node, result, task_id }: Play): Promise<void> {
	expect(result.status).toBe('success');
	const [[{ json, binary }]] = result.outputs();
	expect(json).toMatchObject({ task_id });
	const bytes = await stage.engine.readBinary(binary!.data);
	expect(bytes.equals(bytesOf(row, stage.sandbox))).toBe(true);
	if (node !== 'Video Download') return;
	expect(json).toEqual({
		task_id,
		file_name: binary!.data.fileName,
		mime_type: binary!.data.mimeType,
		size_bytes: bytes.length,
		...row.item,
	});
}
