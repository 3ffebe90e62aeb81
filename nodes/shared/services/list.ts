import type { Service } from './contract';
import { customPaths } from './customPaths';
import { fal } from './fal';
import { google } from './google';
import { kie } from './kie';
import { newApi } from './newApi';
import { openAiVideos } from './openAiVideos';
import { openRouter } from './openRouter';
import { replicate } from './replicate';
import { runway } from './runway';
import { wavespeed } from './wavespeed';

/** All services, in the order of their labels. */
export const SERVICES: readonly Service[] = [
	...[
		customPaths({}),
		fal,
		google,
		kie,
		newApi,
		openAiVideos,
		openRouter,
		replicate,
		runway,
		wavespeed,
	],
];

/** Returns the service that a credential names; New API for a name that nobody knows. */
export function serviceOf(data: Record<string, unknown>): Service {
	const named = SERVICES.find(({ name }) => name === data.api) ?? newApi;
	return named.name === 'customPaths' ? customPaths(data) : named;
}
