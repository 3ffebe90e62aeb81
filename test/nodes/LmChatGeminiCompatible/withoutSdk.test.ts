import { supplyModel } from './support/suppliedModel';

// An n8n that lacks the SDK, or has another one.

const mockSdk: { get: () => object } = { get: () => ({}) };
jest.mock('@n8n/ai-node-sdk', () => mockSdk.get());

const missing = () => {
	throw Object.assign(new Error("Cannot find module '@n8n/ai-node-sdk'"), {
		code: 'MODULE_NOT_FOUND',
	});
};

it.each([
	['is missing', missing],
	['has no supplyModel', () => ({ getParametersJsonSchema: () => ({}) })],
	['has no schemas', () => ({ supplyModel: () => ({}) })],
])('where the SDK %s, the model says so in a sentence', async (_what, get) => {
	jest.resetModules();
	mockSdk.get = get;
	await expect(supplyModel()).rejects.toMatchObject({
		message: expect.stringMatching(/^This version of n8n cannot use models of community nodes/),
		functionality: 'configuration-node',
	});
});
