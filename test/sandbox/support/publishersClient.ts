import { GoogleGenAI, type GenerateContentParameters } from '@google/genai';
import { TEXT_MODEL } from './client';
import type { SandboxStage } from './stage';

type Contents = GenerateContentParameters['contents'];
type Config = GenerateContentParameters['config'];

/** The client that the inventor of the Gemini protocol publishes, as it asks a sandbox. */
export function usePublishersClient(stage: SandboxStage) {
	let ai: GoogleGenAI;
	beforeAll(() => {
		const httpOptions = { baseUrl: stage.sandbox.url };
		ai = new GoogleGenAI({ apiKey: 'sandbox-key', httpOptions });
	});
	return {
		generate: async (contents: Contents, config?: Config, model = TEXT_MODEL) =>
			await ai.models.generateContent({ model, contents, config }),
		openStream: async (contents: Contents) =>
			await ai.models.generateContentStream({ model: TEXT_MODEL, contents }),
	};
}
