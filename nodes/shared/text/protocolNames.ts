/**
 * The fields of a request whose names have more than one word, as Google's own client has them: a
 * unit test compares them with its types, name by name.
 */
export const FIELD_NAMES = [
	'accessToken allowedFunctionNames apiAuth apiKey apiKeyConfig apiKeySecret',
	'apiKeySecretVersion apiKeyString apiSpec aspectRatio audioTimestamp authConfig authType',
	'autoMode blockingConfidence boolValue cachedContent candidateCount codeExecution',
	'codeExecutionResult compressionQuality computerUse credentialSecret customConfigs',
	'dataStore dataStoreSpecs disableAttribution displayName dynamicRetrievalConfig',
	'dynamicThreshold elasticSearchParams enableAffectiveDialog enableEnhancedCivicAnswers',
	'enableWidget endOffset endTime enterpriseWebSearch excludeDomains',
	'excludedPredefinedFunctions executableCode externalApi featureSelectionPreference fileData',
	'fileSearch fileSearchStoreNames fileUri frequencyPenalty functionCall',
	'functionCallingConfig functionDeclarations functionResponse generationConfig googleMaps',
	'googleSearch googleSearchRetrieval googleServiceAccountConfig httpBasicAuthConfig',
	'httpElementLocation hybridSearch idToken imageConfig imageOutputOptions imageSearch',
	'imageSize includeServerSideToolInvocations includeThoughts inlineData jsonPath',
	'languageCode latLng llmRanker manualMode maxOutputTokens maxResults mcpServers',
	'mediaResolution metadataFilter mimeType modelArmorConfig modelName modelRoutingPreference',
	'modelSelectionConfig multiSpeakerVoiceConfig nullValue numHits numTokens numberValue',
	'oauthConfig oidcConfig outputCompressionQuality outputMimeType parallelAiSearch',
	'parametersJsonSchema partMetadata partialArgs personGeneration prebuiltVoiceConfig',
	'presencePenalty prominentPeople promptTemplateName ragCorpora ragCorpus ragFileIds',
	'ragResources ragRetrievalConfig rankService replicatedVoiceConfig responseJsonSchema',
	'responseLogprobs responseMimeType responseModalities responseSchema responseTemplateName',
	'retrievalConfig routingConfig safetySettings searchTemplate searchTypes serviceAccount',
	'serviceTier similarityTopK simpleSearchParams speakerVoiceConfigs speechConfig',
	'sseReadTimeout startOffset startTime stopSequences storeContext',
	'streamFunctionCallArguments streamableHttpTransport stringValue systemInstruction',
	'terminateOnClose thinkingBudget thinkingConfig thinkingLevel thoughtSignature',
	'timeRangeFilter toolCall toolConfig toolResponse toolType topK topP urlContext',
	'vectorDistanceThreshold vectorSimilarityThreshold vertexAiSearch vertexRagStore',
	'videoMetadata voiceConfig voiceName voiceSampleAudio webSearch willContinue',
].flatMap((names) => names.split(' '));

/** What stands in these is named by people, or a language of its own. */
export const OF_PEOPLE = new Set([
	...['args', 'customConfigs', 'headers', 'labels', 'parameters', 'parametersJsonSchema'],
	...['partMetadata', 'response', 'responseJsonSchema', 'responseSchema'],
]);
