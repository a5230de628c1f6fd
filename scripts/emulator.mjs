import { join } from 'node:path'
import { ensureCachedPackage } from './cached-package.mjs'

/** The version of Google's `firebase-tools`, of which only the Auth emulator is used. */
const EMULATOR_VERSION = '15.34.2'

/**
 * Installs Google's Auth emulator if it is missing.
 *
 * @returns {string} the path of the emulator's script
 * @throws if the emulator cannot be installed
 */
export const ensureEmulator = () => join(ensureCachedPackage('firebase-tools', EMULATOR_VERSION, 220), 'lib/bin/firebase.js')
