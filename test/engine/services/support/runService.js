'use strict';

const { judge } = require('../../../../sandbox/services/judge');
const { startService } = require('../../../../sandbox/services/standIn');

// One video by Video Generate at the stand-in of a service, and what is known afterwards.

const PROMPT = 'A paper boat on a rainy street';

/** The parameters of Video Generate that say what is wanted. */
const toParameters = ({ length, ratio, resolution, image }) => ({
	...(length !== undefined && { duration: length }),
	...(ratio !== undefined && { aspectRatio: ratio }),
	...(resolution !== undefined && { resolution }),
	...(image !== undefined && { imageSource: 'url', image }),
});

const toPaths = ({ submitPaths: [submitPath], pollPaths: [taskPath] }) => ({
	...{ api: 'customPaths', submitPath, taskPath },
});

/** Every text in a value, however deep. */
const textOf = (value) => JSON.stringify(value) ?? '';

/**
 * In minutes. The node asks for a record of New API's own twice a minute, so no short wait sees its end.
 */
const maxWaitFor = ({ isNewApi }) => (isNewApi ? 0.01 : 0.05);

/** The first words of a failure, without the item's number. */
const toReason = ({ message }) => message.replace(/ \[item \d+\]/, '').slice(0, 150);

/**
 * @param {import('../../../support/engine').Engine} engine
 * @param {import('../../../../sandbox/services/records').ServiceRecord} record
 * @param {import('../../../../sandbox/services/judge').Wanted} wanted `image`: any text, for the
 *   stand-in's picture
 * @param {import('../../../../sandbox/services/standIn').ServiceOptions & { parameters?: object, access?: object }} [options]
 *   `parameters`: of the node, in place of others; `access`: more of the credential
 */
async function runService(engine, record, wanted, { parameters, access, ...options } = {}) {
	const service = await startService(record, options);
	try {
		const asked = { ...wanted, ...(wanted.image && { image: service.pictureUrl }) };
		const {
			outputs,
			hints,
			error: thrown,
		} = await engine.run({
			node: {
				type: 'n8n-nodes-video-generation.videoGenerate',
				parameters: {
					model: { __rl: true, mode: 'id', value: record.model },
					prompt: PROMPT,
					...toParameters(asked),
					options: { polling: { pollInterval: 0.02 }, maxWait: maxWaitFor(record) },
					...parameters,
				},
				onError: 'continueRegularOutput',
			},
			credentials: {
				videoGenerationApi: {
					...{ baseUrl: service.url, apiKey: service.key, allowPrivateAddresses: true },
					...(record.hasOwnRoutes && toPaths(record)),
					...access,
				},
			},
		});
		const [item] = outputs()[0] ?? [];
		const error = item?.json.error ?? (thrown && { message: thrown.message });
		const { submits, tasks, requests } = service;
		const accepted = submits.find(({ taskId }) => taskId !== undefined);
		return {
			...{ item, error, submits, tasks, requests, hints: textOf(hints()) },
			/** Why there is no video, if there is none. @type {string | undefined} */
			reason: error ? toReason(error) : item?.binary ? undefined : 'The item has no file',
			verdicts: judge(record, accepted, asked),
			/** Tasks that are billed and that nobody can find again. @type {string[]} */
			lost: tasks.map(({ id }) => id).filter((id) => !textOf(item ?? error).includes(id)),
		};
	} finally {
		await service.close();
	}
}

/**
 * The runs of a record: none of the settings of its page, each by itself, and all of the example
 * together, with a picture if the model takes one.
 * @param {import('../../../../sandbox/services/records').ServiceRecord} record
 */
function wishesOf({ model, settings, example }) {
	const picture = settings.image && { image: 'the picture' };
	const single = Object.entries({ ...example, ...picture }).map(([name, value]) => ({
		[name]: value,
	}));
	const together = { ...example, ...(!/t2v/.test(model) && picture) };
	const all = [{}, ...single, together];
	/** @type {Array<import('../../../../sandbox/services/judge').Wanted>} */
	const wishes = [...new Map(all.map((wish) => [textOf(wish), wish])).values()];
	return wishes;
}

/**
 * A row of the table: what the runs of a record came to.
 * @param {Awaited<ReturnType<typeof runService>>[]} runs in the order of `wishesOf`
 */
function toRow({ name }, runs) {
	const together = runs.at(-1);
	const verdictOf = (setting) => {
		const verdicts = runs.map(({ verdicts }) => verdicts[setting]).filter(Boolean);
		// The last one is that of all settings together.
		return [...new Set(verdicts)].join(', together ') || '-';
	};
	const submits = Math.max(...runs.map((run) => run.submits.length));
	const tasks = Math.max(...runs.map((run) => run.tasks.length));
	return {
		service: name,
		videos: `${runs.filter(({ reason }) => reason === undefined).length} of ${runs.length}`,
		together: together.reason ?? 'works',
		length: verdictOf('length'),
		ratio: verdictOf('ratio'),
		resolution: verdictOf('resolution'),
		image: verdictOf('image'),
		submits: submits === tasks ? String(submits) : `${submits} (${tasks} billed)`,
	};
}

module.exports = { runService, toRow, wishesOf };
