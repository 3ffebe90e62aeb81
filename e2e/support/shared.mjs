import { after } from 'node:test';
import { openSandbox } from './sandbox.mjs';

let opened;

/** One sandbox for all tests of a process, because the start of n8n takes longer than most of them. */
export const openShared = async () => await (opened ??= openSandbox());

after(async () => await (await opened)?.close());
