import { pageScope } from '../primitives/scope.ts'
import type { ScratchFile } from './scratch.ts'

/** The time in milliseconds for which an exported file is kept: the browser copies it to the person's downloads, perhaps after asking where to. */
const KEEP_MS = 600_000

/** Keeps an exported file, also when its engine is disposed. What is left when the page ends is swept by a later visit. */
export const keepExportedFile = (file: ScratchFile): void => void pageScope.timeout(() => void file.dispose(), KEEP_MS)
