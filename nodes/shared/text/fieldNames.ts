import type { IDataObject } from 'n8n-workflow';

import { isPlain, MAX_DEPTH } from '../lib/bounded';
import { mergeFields } from './mergeFields';

/** The protocol's names of more than one word. It takes them in snake_case, too; gateways do not. */
export const FIELD_NAMES = [
	...['cachedContent', 'generationConfig', 'modelArmorConfig', 'safetySettings', 'serviceTier'],
	...['systemInstruction', 'toolConfig'],
	// generationConfig
	...['audioTimestamp', 'candidateCount', 'enableAffectiveDialog', 'enableEnhancedCivicAnswers'],
	...['frequencyPenalty', 'imageConfig', 'maxOutputTokens', 'mediaResolution'],
	...['modelSelectionConfig', 'presencePenalty', 'responseJsonSchema', 'responseLogprobs'],
	...['responseMimeType', 'responseModalities', 'responseSchema', 'routingConfig', 'speechConfig'],
	...['stopSequences', 'thinkingConfig', 'topK', 'topP'],
	...['aspectRatio', 'imageOutputOptions', 'imageSize', 'personGeneration'],
	...['includeThoughts', 'thinkingBudget', 'thinkingLevel'],
	...['languageCode', 'multiSpeakerVoiceConfig', 'prebuiltVoiceConfig', 'speakerVoiceConfigs'],
	...['voiceConfig', 'voiceName'],
	// tools and toolConfig
	...['codeExecution', 'computerUse', 'enterpriseWebSearch', 'fileSearch', 'fileSearchStoreNames'],
	...['functionDeclarations', 'googleMaps', 'googleSearch', 'googleSearchRetrieval'],
	...['metadataFilter', 'urlContext', 'allowedFunctionNames', 'functionCallingConfig'],
	...['includeServerSideToolInvocations', 'latLng', 'retrievalConfig'],
	// parts
	...['codeExecutionResult', 'displayName', 'endOffset', 'executableCode', 'fileData', 'fileUri'],
	...['functionCall', 'functionResponse', 'inlineData', 'mimeType', 'startOffset'],
	...['thoughtSignature', 'videoMetadata'],
];

const toSnakeCase = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const BY_SNAKE_CASE = new Map(FIELD_NAMES.map((name) => [toSnakeCase(name), name]));

/** What stands in these is named by people, or a language of its own. */
export const OF_PEOPLE = new Set([
	...['args', 'functionDeclarations', 'labels', 'response', 'responseJsonSchema'],
	'responseSchema',
]);

/**
 * A copy in which each field of the protocol is spelled in camelCase. Names that the protocol does
 * not have stay as they are: they may be a gateway's own. Of a field that stands there in both
 * spellings, the one in camelCase counts.
 */
export function spellFields(value: unknown, depth = 0): unknown {
	if (depth >= MAX_DEPTH) return value;
	if (Array.isArray(value)) return value.map((one) => spellFields(one, depth + 1));
	if (!isPlain(value)) return value;
	const spelled: Array<[string, unknown]> = [];
	const kept: Array<[string, unknown]> = [];
	for (const [given, inner] of Object.entries(value)) {
		const name = BY_SNAKE_CASE.get(given) ?? given;
		const field = OF_PEOPLE.has(name) ? inner : spellFields(inner, depth + 1);
		(name === given ? kept : spelled).push([name, field]);
	}
	const [first, second] = [spelled, kept].map(
		(fields) => Object.fromEntries(fields) as IDataObject,
	);
	return spelled.length === 0 ? second : mergeFields(first, second);
}
