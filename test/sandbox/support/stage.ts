import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/service';
import { clientOf } from './client';

/** A sandbox and a client with a good key; both live from the first to the last test of a file. */
export interface SandboxStage {
	sandbox: Sandbox;
	client: ReturnType<typeof clientOf>;
}

/** Sets the stage for a test file. What the sandbox records is cleared by nobody but the tests. */
export function useSandbox(options: SandboxOptions = {}): SandboxStage {
	const stage = {} as SandboxStage;
	beforeAll(async () => {
		stage.sandbox = await createSandbox(options);
		stage.client = clientOf(stage.sandbox);
	});
	afterAll(async () => await stage.sandbox?.close());
	return stage;
}
