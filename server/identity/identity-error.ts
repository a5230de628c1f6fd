/** The error codes of the Identity Toolkit API, which the Firebase SDK maps to its own error codes. */
export type IdentityErrorCode =
  | 'EMAIL_EXISTS'
  | 'INVALID_EMAIL'
  | 'MISSING_EMAIL'
  | 'MISSING_PASSWORD'
  | 'MISSING_ID_TOKEN'
  | 'MISSING_OOB_CODE'
  | 'MISSING_REFRESH_TOKEN'
  | 'MISSING_REQ_TYPE'
  | 'INVALID_GRANT_TYPE'
  | 'INVALID_REFRESH_TOKEN'
  | 'INVALID_LOGIN_CREDENTIALS'
  | 'USER_DISABLED'
  | 'USER_NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS_TRY_LATER'
  | 'WEAK_PASSWORD'
  | 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS'
  | 'EXPIRED_OOB_CODE'
  | 'INVALID_OOB_CODE'
  | 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'
  | 'TOKEN_EXPIRED'
  | 'INVALID_ID_TOKEN'
  | 'OPERATION_NOT_ALLOWED'

/** An error about an account, which the identity routes return in the Firebase SDK's format. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError'
  constructor(
    readonly identityCode: IdentityErrorCode,
    detailText?: string,
  ) {
    super(detailText === undefined ? identityCode : `${identityCode} : ${detailText}`)
  }
}

/** The error of an overloaded server, which says nothing about the account. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError'
}
