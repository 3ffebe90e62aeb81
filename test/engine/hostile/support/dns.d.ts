/** Lets a name resolve to one address for n8n; gives the spy, to be restored. */
export function resolveTo(name: string, address: string): jest.SpyInstance;
