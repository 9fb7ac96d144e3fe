/* SPDX-License-Identifier: BSD-3-Clause */
/** Everything an application needs to read a profile: link with -lservet (pkg-config servet). */
#ifndef SERVET_SERVET_H
#define SERVET_SERVET_H

#include "servet/version.h"
#include "servet/error.h"
#include "servet/value.h"
#include "servet/analyze.h"
#include "servet/explain.h"
#include "servet/profile.h"
#include "servet/node.h"
#include "servet/network.h"
#include "servet/degradation.h"
#include "servet/traffic.h"
#include "servet/map.h"
#include "servet/place.h"
#include "servet/advice.h"
#include "servet/diff.h"
#include "servet/record.h"
#include "servet/identity.h"
#include "servet/keys.h"

#endif
