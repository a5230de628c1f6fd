/// <reference path="./s3rver.d.ts" />
import S3rver from '@20minutes/s3rver'
import type { S3Settings } from '../s3-client.ts'

const TEST_BUCKET = 'varispeed-files'

/** A server of the S3 protocol on this machine, which checks signatures. */
export interface S3Server {
  settings: S3Settings
  /** The settings as environment variables. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** Starts a server of the S3 protocol whose objects are in a folder. Every request needs the server's key. */
export async function startS3Server(filesDir: string, port = 0): Promise<S3Server> {
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory: filesDir,
    configureBuckets: [{ name: TEST_BUCKET, configs: [] }],
  })
  const serverUrl = await server.run()
  // The only key of this server.
  const [accessKeyId, secretAccessKey] = ['S3RVER', 'S3RVER']
  const endpointUrl = `http://127.0.0.1:${serverUrl.port}`
  return {
    settings: { bucket: TEST_BUCKET, prefix: 'site/', endpoint: endpointUrl, region: 'us-east-1', accessKeyId, secretAccessKey },
    env: {
      FILE_STORE: `s3://${TEST_BUCKET}/site`,
      FILE_STORE_ENDPOINT: endpointUrl,
      FILE_STORE_KEY_ID: accessKeyId,
      FILE_STORE_SECRET: secretAccessKey,
    },
    stop: () => server.close(),
  }
}
