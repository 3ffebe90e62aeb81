import { parseArgs } from 'node:util';
import { toDownloadRows, toDownloadTable } from './support/downloadTables.mjs';
import { curl, publishDownloads, renderVideo } from './support/downloadWays.mjs';
import { measureRound } from './support/measureDownload.mjs';
import { openPlace } from './support/place.mjs';
import { publishResult } from './support/table.mjs';

// One large video by each way that n8n has, and by curl; then ten videos at once.

const MB = 1e6;
const SMALL_BYTES = 100_000;
const [OURS, THEIRS, GEMINI] = ['Video Download', 'HTTP Request', 'Google Gemini'];
const { values } = parseArgs({
	options: {
		size: { type: 'string', default: String(2 ** 30 / MB) },
		files: { type: 'string', default: '10' },
		fileSize: { type: 'string', default: '200' },
		rounds: { type: 'string', default: '3' },
		write: { type: 'boolean', default: false },
	},
});
const FILES = Number(values.files);
const ROUNDS = Number(values.rounds);

/** The jobs of a round: in turns each of them comes first. */
function inTurns(jobs, round) {
	const entries = Object.entries(jobs);
	const first = round % entries.length;
	return Object.fromEntries([...entries.slice(first), ...entries.slice(0, first)]);
}

const place = await openPlace({ mayCollect: true });
try {
	const { ours, theirs, gemini } = await publishDownloads(place);
	const render = async (mb) => await renderVideo(place, Math.round(Number(mb) * MB));
	const small = await renderVideo(place, SMALL_BYTES);
	const large = await render(values.size);
	const file = await render(values.fileSize);

	const single = {
		[OURS]: { workflow: ours, executions: [[large]] },
		[THEIRS]: { workflow: theirs, executions: [[large]] },
		[GEMINI]: { workflow: gemini, executions: [[large]] },
		curl: { run: async () => await curl(large, place.storage) },
	};
	const items = Array(FILES).fill(file);
	const many = {
		[`${OURS}, one execution`]: { workflow: ours, executions: [items] },
		[`${OURS}, ${FILES} executions`]: { workflow: ours, executions: items.map((one) => [one]) },
		[`${THEIRS}, one execution`]: { workflow: theirs, executions: [items] },
	};

	const [ones, manys] = [[], []];
	for (let n = 0; n < ROUNDS; n++) {
		ones.push(await measureRound(place, inTurns(single, n), small));
		manys.push(await measureRound(place, inTurns(many, n), small));
	}
	const table = toDownloadTable([
		...toDownloadRows(ones, Object.keys(single), `1 of ${Math.round(values.size)} MB`),
		...toDownloadRows(manys, Object.keys(many), `${FILES} of ${values.fileSize} MB`),
	]);
	const loads = [...ones, ...manys].flatMap((round) =>
		Object.values(round).flatMap(({ load }) => load ?? []),
	);
	const between = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
	const about = `Medians of ${ROUNDS} rounds, load before each ${between}. ${place.machine}`;
	await publishResult('download', table, values, about);
} finally {
	await place.close();
}
