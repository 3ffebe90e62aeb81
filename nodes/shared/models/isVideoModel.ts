import { findRow } from './families/families';

/** Returns whether a name says that its model makes videos. Lists do not say a model's kind. */
export const isVideoModel = (id: string): boolean =>
	findRow(id) !== undefined || /video|pixverse|runway|luma|t2v|i2v/i.test(id);
