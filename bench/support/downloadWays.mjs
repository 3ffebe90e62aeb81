import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { KEY } from './service.mjs';
import { publishWorkflow } from './workflow.mjs';

const NODES = {
	ours: (credential) => ({
		name: 'Video Download',
		type: 'n8n-nodes-video-generation.videoDownload',
		typeVersion: 1,
		credentials: credential,
		parameters: {},
	}),
	theirs: (credential) => ({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: credential,
		parameters: {
			url: '={{ $json.url }}',
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'videoGenerationApi',
			options: { response: { response: { responseFormat: 'file' } } },
		},
	}),
	gemini: (_credential, geminiCredential) => ({
		name: 'Google Gemini',
		type: '@n8n/n8n-nodes-langchain.googleGemini',
		typeVersion: 1.2,
		credentials: geminiCredential,
		parameters: {
			resource: 'video',
			operation: 'download',
			url: '={{ $json.storageUrl }}',
			options: {},
		},
	}),
};

/** A workflow for each node that downloads: `{ ours, theirs, gemini }`, each with its `node`. */
export async function publishDownloads({ api, service, credential }) {
	const { foreignUrl } = await service.health();
	const { id } = await api.createCredential({
		name: 'Gemini',
		type: 'googlePalmApi',
		// The node downloads from the host of its credential only.
		data: { host: foreignUrl, apiKey: 'any' },
	});
	const geminiCredential = { googlePalmApi: { id, name: 'Gemini' } };
	const published = {};
	for (const [way, toNode] of Object.entries(NODES)) {
		const node = toNode(credential, geminiCredential);
		published[way] = { node: node.name, ...(await publishWorkflow(api, node.name, [node])) };
	}
	return published;
}

/** A rendered video of this size as an item that each of the nodes can read. */
export async function renderVideo({ service }, sizeBytes) {
	const task_id = await service.render({ renderMs: 0, sizeBytes });
	const { foreignUrl } = await service.health();
	return {
		task_id,
		sizeBytes,
		url: `${service.url}/v1/videos/${task_id}/content`,
		// Gemini's key goes along in the address, which the content endpoint does not read.
		storageUrl: `${foreignUrl}/files/landscape.mp4?task=${task_id}`,
	};
}

/** What curl takes to put a video into a file: `{ tookMs }`. */
export async function curl({ url, sizeBytes }, folder) {
	const file = path.join(folder, 'curl.mp4');
	const authorization = `Authorization: Bearer ${KEY}`;
	const args = ['-sS', '-f', '-o', file, '-w', '%{time_total}', '-H', authorization, url];
	const { stdout } = await execa('curl', args);
	assert.equal((await stat(file)).size, sizeBytes);
	await rm(file);
	return { tookMs: Number(stdout) * 1000 };
}
