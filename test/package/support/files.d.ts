/** The root of the repository; every other path here starts from it. */
export const ROOT: string;
export function exists(file: string): boolean;
/** A place as the links of a file name it, as a path from the root. */
export function beside(file: string, place: string): string;
export function read(file: string): string;
export function readJson<T = Record<string, unknown>>(file: string): T;
/** Files below a folder, sorted; none where the folder is missing. */
export function list(folder: string): string[];
/** What `npm publish` would send; sizes in bytes. */
export function pack(): { size: number; unpackedSize: number; files: string[] };
/** Paths without extension for files of ours, plain names for packages. */
export function importsOf(file: string): string[];
