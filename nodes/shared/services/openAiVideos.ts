import { hasHeader, type NoAnswer, type ServiceAnswer } from '../http/answer';
import { toObjects, toText } from '../lib/json';
import { toPathSegment } from '../lib/text';
import { toMs } from '../lib/time';
import { OPENAI_LIST, toBearer } from './common';
import type { Service } from './contract';
import { contentPath, VIDEOS } from './newApi';

/** Returns whether LiteLLM has answered: it names itself wherever it takes a key for videos (1.90 and 1.108, tried). */
export const isOfLiteLlm = (answer: ServiceAnswer | NoAnswer): boolean =>
	hasHeader(answer, 'x-litellm-version');

/** Of its list of tasks, newest first. */
const FIRST_PAGE = `${VIDEOS}?limit=100&order=desc`;

/** LiteLLM, and what else follows OpenAI's document: docs.litellm.ai/docs/videos, platform.openai.com (2026-11). */
export const openAiVideos: Service = {
	name: 'openAiVideos',
	label: 'OpenAI Videos',
	description: 'LiteLLM, and others that follow OpenAI: POST /v1/videos',
	headers: toBearer,
	writing: 'openAi',
	// LiteLLM takes a picture as a file alone: of a data URI in JSON, it sends the text on as the file (tried).
	form: 'withPicture',
	toSubmit: ({ fields: body }) => ({ path: VIDEOS, body }),
	taskPath: (task_id) => `${VIDEOS}/${toPathSegment(task_id)}`,
	contentPath,
	recent: {
		first: () => ({ path: FIRST_PAGE }),
		next(_page, { last_id, has_more }) {
			const after = has_more === true ? toText(last_id) : undefined;
			return after ? { path: `${FIRST_PAGE}&after=${encodeURIComponent(after)}` } : undefined;
		},
		read: ({ data }) =>
			toObjects(data).flatMap((record) => {
				const { id, model, created_at, completed_at } = record;
				const task_id = toText(id);
				const models = [toText(model) ?? []].flat();
				return task_id === undefined
					? []
					: [
							{
								...{ task_id, record, models },
								...{ submittedAtMs: toMs(created_at), finishedAtMs: toMs(completed_at) },
							},
						];
			}),
	},
	...OPENAI_LIST,
};
