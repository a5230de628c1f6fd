import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Creates a self-signed certificate for `hostNames`. Returns it and its key, both as PEM. */
export async function createCertificate(hostNames: readonly string[]): Promise<{ key: Buffer; cert: Buffer }> {
  const certificateFolder = await mkdtemp(join(tmpdir(), 'varispeed-certificate-'))
  try {
    const [keyPath, certPath] = [join(certificateFolder, 'key.pem'), join(certificateFolder, 'cert.pem')]
    const subjectArguments = ['-subj', `/CN=${hostNames[0]}`, '-addext', `subjectAltName=${hostNames.map((host) => `DNS:${host}`).join()}`]
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...[...subjectArguments, '-keyout', keyPath, '-out', certPath],
    ])
    return { key: await readFile(keyPath), cert: await readFile(certPath) }
  } finally {
    await rm(certificateFolder, { recursive: true, force: true })
  }
}
