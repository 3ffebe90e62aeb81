import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { loadNow } from './support/machine.mjs';
import { openPlace } from './support/place.mjs';
import { publishStreaming } from './support/streamingTables.mjs';
import { pause } from './support/until.mjs';
import { openWays } from './support/ways.mjs';

// One answer of 200 pieces, asked for in every way, one after the other, again and again.

const CHUNKS = 200;
const CHUNK_DELAY_MS = 10;
const SAYS = 'Sunlight is made of all colours. '.repeat(100).slice(0, CHUNKS * 10);
/** How long the service takes to its first word: none, and as a model that thinks about it. */
const WAITS_MS = [0, 500];
const WARM_UPS = 2;
/** n8n writes the run before to its database. */
const SETTLE_MS = 300;
const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '11' },
		write: { type: 'boolean', default: false },
	},
});

async function measureRound(ways, round, waitMs) {
	const ask = async (way, delayMs) => {
		await pause(SETTLE_MS);
		const text = [{ delayMs }];
		const plan = { says: SAYS, chunks: CHUNKS, chunkDelayMs: CHUNK_DELAY_MS, text };
		return await ways[way](`Sky ${way} ${waitMs} ${round} sandbox:${JSON.stringify(plan)}`);
	};
	const heard = { direct: await ask('direct', waitMs) };
	for (const way of ['empty', 'oneWord', 'ours']) heard[way] = await ask(way, waitMs);
	// A whole answer is there once the model has written it all: when its stream would have ended.
	heard.theirs = await ask('theirs', Math.round(heard.direct.totalMs));
	for (const way of ['direct', 'ours', 'theirs']) assert.equal(heard[way].words, SAYS);
	assert.equal(heard.direct.pieces, CHUNKS);
	// Words are told once they are whole, so the last one can be a piece of its own.
	assert.ok(Math.abs(heard.ours.pieces - CHUNKS) <= 1, `${heard.ours.pieces} pieces`);
	return heard;
}

const place = await openPlace();
try {
	const ways = await openWays(place);
	const load = loadNow();
	const rounds = WAITS_MS.map((waitMs) => ({ waitMs, heard: [] }));
	for (let n = -WARM_UPS; n < Number(values.rounds); n++) {
		for (const { waitMs, heard } of rounds) {
			const round = await measureRound(ways, n, waitMs);
			if (n >= 0) heard.push(round);
		}
	}
	const about = `Medians of ${values.rounds} rounds, load before ${load}. ${place.machine}`;
	await publishStreaming(rounds, about, values);
} finally {
	await place.close();
}
