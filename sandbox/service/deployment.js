'use strict';

const { z } = require('zod');
const { OWNERS } = require('./gatewayProfile');
const { PLAN, answer, flag, milliseconds, object } = require('./plan');
const { oneOf, ofRows, problemOf, text, whole } = require('./plan');

// What differs from one service to the next.

const DOCUMENTED_MODELS = {
	video: [
		...['veo-3.1-lite-generate-001', 'veo-3.1-fast-generate-001'],
		...['dreamina-seedance-2-0-fast', 'doubao-seedance-1-5-pro-251215'],
	],
	text: [
		...['gemini-3.1-pro-preview', 'gemini-3-pro-preview', 'gemini-3-flash-preview'],
		...['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-image'],
	],
};

const models = object({ video: z.array(text), text: z.array(text) });
const NAMED = ['fal', 'google', 'kie', 'openRouter', 'replicate', 'runway', 'wavespeed'];
const profile = oneOf(['contract', 'gateway', ...NAMED]);

const throttle = object({ most: whole(1), everyMs: milliseconds, answer })
	.required()
	.describe('object with `most`, `everyMs` and `answer`');

const routes = oneOf(['both', 'videoGenerations', 'openAiVideos']);

/** What each setting of a deployment does, the values that it takes, and its default. */
const SETTINGS = {
	renderMs: ['how long a render takes', milliseconds, 3000],
	refreshMs: ['how often tasks change (at real deployments about every 15 s)', milliseconds, 0],
	listings: ['`GET /v1/models` and `GET /v1beta/models`; false is 404', flag.or(answer), true],
	models: ['which models there are', models, DOCUMENTED_MODELS],
	owners: ['`owned_by` of listed models; of all others it is `custom`', z.record(text), {}],
	profile: [
		'`gateway` answers videos as a real gateway did; the others as the services of these names do',
		profile,
		'contract',
	],
	isNewApi: ['its answers have the header `x-new-api-version`', flag, true],
	routes: ['the routes for videos; any other address is unknown', routes, 'both'],
	outage: ['what every address answers', answer.nullable(), null],
	throttle: [
		'`most` orders in `everyMs`, refused ones included; all others get the `answer`',
		throttle.nullable(),
		null,
	],
	listLagMs: ['how old a task is before lists of tasks show it', milliseconds, 0],
	listsRunning: ['whether the list of `fal` shows what has not ended yet', flag, false],
	clockSkewMs: ["how far the service's clock is ahead of this machine's", z.number().int(), 0],
	currency: ['what its prices are in', text, 'USD'],
	cutOrders: [
		'so many of the next orders are reset before their body is read; counts down',
		whole(0),
		0,
	],
	plan: ["a plan for every prompt; the prompt's own keys take precedence", PLAN, {}],
};
const DEFAULTS = Object.fromEntries(
	Object.entries(SETTINGS).map(([name, [, , byDefault]]) => [name, byDefault]),
);
const SCHEMA = ofRows(SETTINGS);

/** Returns the settings with some of them changed; throws on one that does not exist. */
function changeSettings(settings, changes, schema) {
	const problem = problemOf(schema, changes);
	if (problem) throw new TypeError(`Settings: ${problem}`);
	return { ...settings, ...changes };
}

const isTextModel = (model) => model.startsWith('gemini-');

const GATEWAY = {
	owners: OWNERS,
	models: {
		video: Object.keys(OWNERS).filter((model) => !isTextModel(model)),
		text: Object.keys(OWNERS).filter(isTextModel),
	},
};

/** What comes with each profile, unless it is set otherwise. */
const OF_PROFILES = {
	gateway: GATEWAY,
	...Object.fromEntries(NAMED.map((name) => [name, { isNewApi: false }])),
};

function changeDeployment(deployment, changes) {
	const changed = changeSettings(deployment, changes, SCHEMA);
	const ofProfile = OF_PROFILES[changes.profile] ?? {};
	const models = { ...deployment.models, ...ofProfile.models, ...changes.models };
	return { ...changed, ...ofProfile, ...changes, models };
}

module.exports = { DEFAULTS, SETTINGS, changeDeployment, changeSettings };
