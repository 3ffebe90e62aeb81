import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';

/** A JSON schema of an object. */
export interface ItemSchema {
	type?: string;
	properties?: Record<string, object>;
	required?: string[];
	version?: number;
}

export interface LoadedPackage {
	packageName: string;
	nodes: INodeTypeDescription[];
	credentials: ICredentialType[];
	known: Record<'nodes' | 'credentials', Record<string, { className: string; sourcePath: string }>>;
	/** What the editor shows of a node's items before it has run; empty where n8n finds nothing. */
	schemaOf(name: string, version: number): ItemSchema;
}

/** The built package, loaded by n8n-core's own loader. */
export function loadPackage(): Promise<LoadedPackage>;
