'use strict';

const { isObject, problemOfEntry } = require('./answers');
const { OWNERS } = require('./gatewayProfile');
const { problemOfPlan } = require('./plan');

// What differs from one deployment of the service to the next, changeable while it runs.

const DEFAULTS = {
	renderMs: 3000,
	refreshMs: 0,
	latencyMs: 0,
	listings: true,
	modelPrefix: true,
	models: {
		video: [
			'veo-3.1-lite-generate-001',
			'veo-3.1-fast-generate-001',
			'dreamina-seedance-2-0-fast',
			'doubao-seedance-1-5-pro-251215',
		],
		text: [
			'gemini-3.1-pro-preview',
			'gemini-3-pro-preview',
			'gemini-3-flash-preview',
			'gemini-2.5-pro',
			'gemini-2.5-flash',
		],
	},
	owners: {},
	profile: 'contract',
	unknownPages: true,
	notFoundShape: 'gateway',
	bodyLimitBytes: 32 * 1024 * 1024,
	foreignRefusesAuthorization: true,
	outage: null,
	plan: {},
};

const number = (value) =>
	Number.isFinite(value) && value >= 0 ? undefined : 'is a number from 0 up';
const flag = (value) => (typeof value === 'boolean' ? undefined : 'is true or false');
const names = (value) => Array.isArray(value) && value.every((name) => typeof name === 'string');
const PROFILES = ['contract', 'gateway'];
const SHAPES = ['gateway', 'business', 'html', 'empty'];

const CHECKS = {
	renderMs: number,
	refreshMs: number,
	latencyMs: number,
	listings: (value) => (typeof value === 'boolean' ? undefined : problemOfEntry(value)),
	modelPrefix: flag,
	models: (value) =>
		isObject(value) && names(value.video ?? []) && names(value.text ?? [])
			? undefined
			: 'is {"video":[names],"text":[names]}',
	owners: (value) =>
		isObject(value) && names(Object.values(value)) ? undefined : 'is {"model":"owner"}',
	profile: (value) => (PROFILES.includes(value) ? undefined : `is one of ${PROFILES.join(', ')}`),
	unknownPages: flag,
	notFoundShape: (value) => (SHAPES.includes(value) ? undefined : `is one of ${SHAPES.join(', ')}`),
	bodyLimitBytes: number,
	foreignRefusesAuthorization: flag,
	outage: (value) => (value === null ? undefined : problemOfEntry(value)),
	plan: problemOfPlan,
};

const isText = (model) => model.startsWith('gemini-');

/** What comes with the profile, unless it is set otherwise. */
const GATEWAY = {
	owners: OWNERS,
	models: {
		video: Object.keys(OWNERS).filter((model) => !isText(model)),
		text: Object.keys(OWNERS).filter(isText),
	},
};

/** The deployment with some of its settings changed; throws on a setting that does not exist. */
function changeDeployment(deployment, changes) {
	if (!isObject(changes)) throw new TypeError('A deployment is changed with an object of settings');
	for (const [key, value] of Object.entries(changes)) {
		if (!Object.hasOwn(CHECKS, key)) {
			throw new TypeError(
				`A deployment has no setting "${key}" (it has ${Object.keys(CHECKS).join(', ')})`,
			);
		}
		const problem = CHECKS[key](value);
		if (problem) throw new TypeError(`Deployment setting "${key}": ${problem}`);
	}
	const ofProfile = changes.profile === 'gateway' ? GATEWAY : {};
	const models = { ...deployment.models, ...ofProfile.models, ...changes.models };
	return { ...deployment, ...ofProfile, ...changes, models };
}

module.exports = { DEFAULTS, changeDeployment };
