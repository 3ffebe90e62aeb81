import type { IDataObject } from 'n8n-workflow';

import { isObject, isPlain, MAX_DEPTH } from '../lib/json';

/** The request fields of more than one word, as in the types of Google's own client. */
export const FIELD_NAMES = new Set(
	`
	accessToken allowedFunctionNames apiAuth apiKey apiKeyConfig apiKeySecret apiKeySecretVersion
	apiKeyString apiSpec aspectRatio audioTimestamp authConfig authType autoMode blockingConfidence
	boolValue cachedContent candidateCount codeExecution codeExecutionResult compressionQuality
	computerUse credentialSecret customConfigs dataStore dataStoreSpecs disableAttribution
	displayName dynamicRetrievalConfig dynamicThreshold elasticSearchParams enableAffectiveDialog
	enableEnhancedCivicAnswers enableWidget endOffset endTime enterpriseWebSearch excludeDomains
	excludedPredefinedFunctions executableCode externalApi featureSelectionPreference fileData
	fileSearch fileSearchStoreNames fileUri frequencyPenalty functionCall functionCallingConfig
	functionDeclarations functionResponse generationConfig googleMaps googleSearch
	googleSearchRetrieval googleServiceAccountConfig httpBasicAuthConfig httpElementLocation
	hybridSearch idToken imageConfig imageOutputOptions imageSearch imageSize
	includeServerSideToolInvocations includeThoughts inlineData jsonPath languageCode latLng
	llmRanker manualMode maxOutputTokens maxResults mcpServers mediaResolution metadataFilter
	mimeType modelArmorConfig modelName modelRoutingPreference modelSelectionConfig
	multiSpeakerVoiceConfig nullValue numHits numTokens numberValue oauthConfig oidcConfig
	outputCompressionQuality outputMimeType parallelAiSearch parametersJsonSchema partMetadata
	partialArgs personGeneration prebuiltVoiceConfig presencePenalty prominentPeople
	promptTemplateName ragCorpora ragCorpus ragFileIds ragResources ragRetrievalConfig rankService
	replicatedVoiceConfig responseJsonSchema responseLogprobs responseMimeType responseModalities
	responseSchema responseTemplateName retrievalConfig routingConfig safetySettings searchTemplate
	searchTypes serviceAccount serviceTier similarityTopK simpleSearchParams speakerVoiceConfigs
	speechConfig sseReadTimeout startOffset startTime stopSequences storeContext
	streamFunctionCallArguments streamableHttpTransport stringValue systemInstruction
	terminateOnClose thinkingBudget thinkingConfig thinkingLevel thoughtSignature timeRangeFilter
	toolCall toolConfig toolResponse toolType topK topP urlContext vectorDistanceThreshold
	vectorSimilarityThreshold vertexAiSearch vertexRagStore videoMetadata voiceConfig voiceName
	voiceSampleAudio webSearch willContinue
	`.match(/\w+/g),
);

/** Fields whose content is copied as it is: its names belong to people or to another language. */
export const OF_PEOPLE = new Set([
	...['args', 'customConfigs', 'headers', 'labels', 'parameters', 'parametersJsonSchema'],
	...['partMetadata', 'response', 'responseJsonSchema', 'responseSchema'],
]);

/** Bounded: a name of several megabytes would overflow the stack of the regular expression. */
const SNAKE_CASE = /^[a-z]{1,40}(?:_[a-z0-9]{1,40}){1,9}$/;

/**
 * Returns a request in camelCase: the service silently drops most fields in snake_case. Names that
 * the protocol does not have stay as they are, because they may be a gateway's own.
 */
export const spellFields = (request: unknown): unknown =>
	inCamelCase(request, (name) => FIELD_NAMES.has(name));

/** Returns an answer in camelCase: deployments written in other languages send `finish_reason`. */
export const toProtocolNames = <Answer>(answer: Answer): Answer =>
	inCamelCase(answer, () => true) as Answer;

/**
 * Returns a copy of a value with its fields in camelCase. If a field is there in both spellings,
 * the documented one counts if it says anything; two objects are merged.
 */
function inCamelCase(value: unknown, isField: (name: string) => boolean, depth = 0): unknown {
	if (depth > MAX_DEPTH) return value;
	if (Array.isArray(value)) return value.map((entry) => inCamelCase(entry, isField, depth + 1));
	if (!isPlain(value)) return value;
	const fields = new Map<string, unknown>();
	const renamed: Array<[string, unknown]> = [];
	for (const [given, inside] of Object.entries(value)) {
		const camelCase = SNAKE_CASE.test(given)
			? given.replace(/_([a-z0-9])/g, (_found, letter: string) => letter.toUpperCase())
			: given;
		const name = isField(camelCase) ? camelCase : given;
		const field: unknown = OF_PEOPLE.has(name) ? inside : inCamelCase(inside, isField, depth + 1);
		if (name === given) fields.set(name, field);
		else renamed.push([name, field]);
	}
	for (const [name, field] of renamed) {
		const known = fields.get(name);
		if (isObject(known) && isObject(field)) fields.set(name, { ...field, ...known });
		else if (!saysSomething(known)) fields.set(name, field);
	}
	return Object.fromEntries(fields) as IDataObject;
}

/** Returns whether a value says anything; converters fill in null, `''`, `[]` and `{}`. */
export function saysSomething(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return false;
	if (Array.isArray(value)) return value.length > 0;
	return !isObject(value) || Object.keys(value).length > 0;
}
