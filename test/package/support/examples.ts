import type { INode, IWorkflowBase } from 'n8n-workflow';

import { list, readJson } from './files';

export type Example = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings'>;

const PACKAGE = 'n8n-nodes-video-generation';
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** The workflows of `examples/`, as paths from the root. */
export const exampleFiles = list('examples').filter((file) => file.endsWith('.json'));

export const readExample = (file: string) => readJson<Example>(file);

export const isNote = ({ type }: INode) => type === STICKY_NOTE;
export const isOurs = ({ type }: INode) => type.startsWith(`${PACKAGE}.`);

/** Whether it hangs below an agent: n8n saves it under a type of its own then. */
export const isToolNode = ({ type }: INode) => type.endsWith('Tool');

/** Its name in this package, such as `videoGenerate`. */
export const ownName = ({ type }: INode) => type.slice(`${PACKAGE}.`.length).replace(/Tool$/, '');
