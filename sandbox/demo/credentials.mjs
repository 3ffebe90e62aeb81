import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What the demo has made in n8n, by name, kept beside n8n's data: a second start finds its own
 * credentials and workflows again, and leaves alone what the person added.
 */
export async function openState(dataFolder) {
	const file = path.join(dataFolder, 'demo.json');
	const entries = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
	return {
		get: (name) => entries[name],
		set: async (name, value) => {
			entries[name] = value;
			await mkdir(dataFolder, { recursive: true, mode: 0o700 });
			await writeFile(file, JSON.stringify(entries, null, 2), { mode: 0o600 });
		},
	};
}

/** The credentials of the demo: ours for videos and for texts, and n8n's own for an agent's model. */
export function demoCredentials({ baseUrl, key, service }) {
	const data = { baseUrl, apiKey: key };
	const place = { keyLocation: 'header', headerName: 'x-goog-api-key' };
	return [
		{
			name: service === undefined ? 'New API (sandbox)' : 'Video Generation API (demo)',
			type: 'videoGenerationApi',
			data: { ...data, api: service },
		},
		{
			name: 'Gemini-Compatible API (demo)',
			type: 'geminiCompatibleApi',
			data: { ...data, ...place },
		},
		{
			name: 'Google Gemini(PaLM) Api (demo)',
			type: 'googlePalmApi',
			// n8n adds /v1beta to what stands here.
			data: { host: baseUrl.replace(/(\/v1(beta)?)?\/*$/, ''), apiKey: key },
		},
	];
}

/** What the sandbox speaks besides New API, by a service's name in the credential: its label, and how it is set up. */
export const STAND_INS = {
	fal: { label: 'fal', profile: 'fal' },
	google: { label: 'Google', profile: 'google' },
	kie: { label: 'kie.ai', profile: 'kie' },
	openAiVideos: {
		label: 'OpenAI Videos',
		...{ profile: 'contract', isNewApi: false, routes: 'openAiVideos' },
	},
	openRouter: { label: 'OpenRouter', profile: 'openRouter' },
	replicate: { label: 'Replicate', profile: 'replicate' },
	runway: { label: 'Runway', profile: 'runway' },
	wavespeed: { label: 'WaveSpeed', profile: 'wavespeed' },
};

/** A credential for one of these stand-ins. */
export const standInCredential = (api, { url, key }) => ({
	name: `${STAND_INS[api].label} (sandbox)`,
	type: 'videoGenerationApi',
	service: api,
	// OpenAI Videos has no address of its own.
	data: { api, baseUrl: url, proxyUrl: url, apiKey: key },
});

/**
 * Makes or refreshes them in n8n; returns `{ type: { id, name } }` as workflows refer to them, those of one
 * service by its name in place of the type.
 */
export async function putCredentials(api, state, credentials) {
	const references = {};
	for (const { service, ...credential } of credentials) {
		const { name, type } = credential;
		const key = service ?? type;
		const id = await putCredential(api, state.get(key), credential);
		await state.set(key, id);
		references[key] = { id, name };
	}
	return references;
}

async function putCredential(api, knownId, credential) {
	if (knownId) {
		try {
			await api.updateCredential(knownId, credential);
			return knownId;
		} catch (error) {
			// The person deleted it in the editor.
			if (error.status !== 404) throw error;
		}
	}
	return (await api.createCredential(credential)).id;
}
