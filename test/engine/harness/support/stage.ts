import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import { createEngine, FIXTURE_PACKAGE, projectVersion } from '../../../support/engine';
import type { Engine, EngineNode } from '../../../support/engine';
import { startFixtureService } from './service';

export const isVersion1 = projectVersion() === '1';

/** A node of the fixture package. */
export const fixture = (name: string, node: Partial<EngineNode> = {}): EngineNode => ({
	type: `n8n-nodes-engine-fixture.fixture${name}`,
	...node,
});

export const json = (items: INodeExecutionData[]) => items.map((item) => item.json);

/** An engine with the fixture package and the service that its nodes ask. */
export interface FixtureStage {
	engine: Engine;
	service: Awaited<ReturnType<typeof startFixtureService>>;
	credentials: Record<'fixtureApi', ICredentialDataDecryptedObject>;
}

/** Sets the stage for a test file of the harness. */
export function useFixtureStage(): FixtureStage {
	const stage = {} as FixtureStage;
	beforeAll(async () => {
		stage.service = await startFixtureService();
		stage.engine = await createEngine(undefined, { packages: [FIXTURE_PACKAGE] });
		stage.credentials = { fixtureApi: { baseUrl: stage.service.url, apiKey: 'key' } };
	});
	beforeEach(() => Object.assign(stage.service.seen, { paid: 0, failReceipts: 0 }));
	afterAll(async () => {
		stage.engine?.close();
		await stage.service?.close();
	});
	return stage;
}
