import type { INodeTypeDescription } from 'n8n-workflow';

export function findNodes(words: string, nodes: INodeTypeDescription[]): string[];
