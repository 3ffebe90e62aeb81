'use strict';

const { randomBytes } = require('node:crypto');
const { refusing } = require('./plan');
const { filmRoute, filmUrl, lastFrameUrl, poll, submit } = require('./jobs');
const { flag, mediaUrl, oneOf, problemOf, text, whole } = require('./jobs');

// Volcengine Ark: content generation tasks, which is Seedance
// (www.volcengine.com/docs/82379/1520757 and 1521309).

const refuse = refusing('ark', (code, message) => ({
	error: { code, message, param: '', type: '' },
}));

const RULES = {
	'model!': text,
	'content!': [Array.isArray, 'must be an array'],
	duration: [
		(value) => value === -1 || (Number.isInteger(value) && value >= 2 && value <= 30),
		'must be -1 or a whole number from 2 to 30',
	],
	resolution: oneOf('480p', '720p', '1080p', '4k'),
	ratio: oneOf('21:9', '16:9', '4:3', '1:1', '3:4', '9:16', 'adaptive'),
	seed: whole(-1, 4294967295),
	camera_fixed: flag,
	watermark: flag,
	generate_audio: flag,
	return_last_frame: flag,
};

const ROLES = [undefined, 'first_frame', 'last_frame', 'reference_image'];

/** What is wrong with one item of the content. */
function problemOfItem(entry, index) {
	const { type, text, role, ...item } = entry ?? {};
	const place = `content[${index}]`;
	if (type === 'text') return typeof text === 'string' ? undefined : `${place}.text is required`;
	if (!['image_url', 'video_url', 'audio_url'].includes(type)) return `${place}.type is not valid`;
	const [fits, says] = mediaUrl;
	if (!fits(item[type]?.url)) return `${place}.${type}.url ${says}`;
	return type !== 'image_url' || ROLES.includes(role) ? undefined : `${place}.role is not valid`;
}

const DEFAULT_SECONDS = 5;
const FRAMES_PER_SECOND = 24;
const HEIGHTS = { '480p': 480, '720p': 720, '1080p': 1080, '4k': 2160 };

/** Tokens as the price list counts them: width x height x frames / 1024. */
function tokensOf({ duration = DEFAULT_SECONDS, resolution = '720p' }) {
	const height = HEIGHTS[resolution];
	const seconds = duration > 0 ? duration : DEFAULT_SECONDS;
	return Math.ceil((height * ((height * 16) / 9) * seconds * FRAMES_PER_SECOND) / 1024);
}

function create(exchange) {
	const body = exchange.json;
	const problem = problemOf(body, RULES) ?? body.content.map(problemOfItem).find(Boolean);
	const items = Array.isArray(body?.content) ? body.content : [];
	const day = new Date().toISOString().slice(0, 10).replace(/-/g, '');
	const id = `cgt-${day}${Date.now() % 1e6}-${randomBytes(3).toString('hex')}`;
	const prompt = items.find((item) => item?.type === 'text')?.text;
	const job = { id, model: body?.model, prompt, shape: body?.ratio, problem };
	return submit(exchange, job, () => ({ json: { id } }));
}

/** What a task says of its end, by state. */
function endOf(exchange, task, state) {
	if (state === 'done') {
		const tokens = tokensOf(task.body);
		const last = task.body.return_last_frame && { last_frame_url: lastFrameUrl(exchange, task) };
		return {
			status: 'succeeded',
			content: { video_url: filmUrl(exchange, task), ...last },
			usage: { completion_tokens: tokens, total_tokens: tokens },
		};
	}
	if (state !== 'failed' && state !== 'filtered') return { status: state };
	const [code, message] =
		state === 'filtered'
			? ['OutputVideoSensitiveContentDetected', 'The output video may be sensitive']
			: ['InternalServiceError', task.plan.failReason ?? 'The service met an internal error'];
	return { status: 'failed', error: { code, message } };
}

const look = (exchange) =>
	poll(exchange, exchange.params.id, (task, state) => {
		const { resolution = '720p', ratio = '16:9', duration = DEFAULT_SECONDS, seed = 7 } = task.body;
		const { id, model, at } = task;
		const asked = { resolution, ratio, duration, seed, framespersecond: FRAMES_PER_SECOND };
		const times = { created_at: Math.floor(at / 1000), updated_at: Math.floor(Date.now() / 1000) };
		const end = endOf(exchange, task, state);
		return { json: { id, model, ...end, ...times, ...asked, service_tier: 'default' } };
	});

module.exports = {
	name: 'ark',
	refuse,
	channel: {
		type: 54,
		label: 'DoubaoVideo (Seedance)',
		key: 'ark-key',
		models: ['1-0-pro-250528', '1-5-pro-251215', '2-0-260128', '2-5-260628'].map(
			(version) => `doubao-seedance-${version}`,
		),
	},
	routes: [
		['POST', '/api/v3/contents/generations/tasks', create],
		['GET', '/api/v3/contents/generations/tasks/:id', look],
		filmRoute,
	],
};
