import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';

export interface LoadedPackage {
	packageName: string;
	nodes: INodeTypeDescription[];
	credentials: ICredentialType[];
	known: Record<'nodes' | 'credentials', Record<string, { className: string; sourcePath: string }>>;
	/** Where n8n looks for what the editor shows of a node's items before it has run. */
	schemaFile(name: string, version: string): string;
}

/** The built package, loaded by n8n-core's own loader. */
export function loadPackage(): Promise<LoadedPackage>;
