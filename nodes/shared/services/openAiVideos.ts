import { hasHeader, type NoAnswer, type ServiceAnswer } from '../http/answer';
import { toPathSegment } from '../lib/text';
import { OPENAI_LIST, toBearer } from './common';
import type { Service } from './contract';
import { contentPath, VIDEOS } from './newApi';

/** Returns whether LiteLLM has answered: it names itself wherever it takes a key for videos (1.90 and 1.108, tried). */
export const isOfLiteLlm = (answer: ServiceAnswer | NoAnswer): boolean =>
	hasHeader(answer, 'x-litellm-version');

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
	...OPENAI_LIST,
};
