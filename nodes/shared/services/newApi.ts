import { hasHeader, type NoAnswer, type ServiceAnswer } from '../http/answer';
import { toPathSegment } from '../lib/text';
import { OPENAI_LIST, toBearer } from './common';
import type { Service } from './contract';

/** Returns whether New API says that it has answered: it names itself in each answer. */
export const isOfNewApi = (answer: ServiceAnswer | NoAnswer): boolean =>
	hasHeader(answer, 'x-new-api-version', 'x-oneapi-request-id');

const GENERATIONS = '/v1/video/generations';
export const VIDEOS = '/v1/videos';

/** The documented path of a task's video. */
export const contentPath = (task_id: string) => `${VIDEOS}/${toPathSegment(task_id)}/content`;

/** New API, and gateways built on it: docs.newapi.pro, and its code (2026-11). */
export const newApi: Service = {
	name: 'newApi',
	label: 'New API',
	description: 'New API, and gateways that are built on it: POST /v1/video/generations',
	headers: toBearer,
	writing: 'family',
	// It tells of a task on both routes, but of the reason of a failure on the first alone.
	toSubmit: ({ fields: body, onVideos }) => ({ path: onVideos ? VIDEOS : GENERATIONS, body }),
	taskPath: (task_id) => `${GENERATIONS}/${toPathSegment(task_id)}`,
	contentPath,
	// What it writes where the model's vendor does not answer its polls (its code, 2026-08). Of a message that it
	// does not know, the video may have been rendered (new-api 5927).
	broke: /^upstream returned error/i,
	...OPENAI_LIST,
};
